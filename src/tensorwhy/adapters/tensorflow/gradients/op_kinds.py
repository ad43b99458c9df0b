"""The kernels of TensorFlow by what they do, for the lineage: calls, branches, sums."""

from __future__ import annotations

from tensorwhy.model.optable import OpKinds

CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall"})
BRANCHES = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
LOOPS = frozenset({"While", "StatelessWhile"})
DIVIDING = frozenset({"RealDiv", "Div", "DivNoNan"})

KINDS = OpKinds(
    call="PartitionedCall",
    calls=CALLS,
    branches=BRANCHES,
    loops=LOOPS,
    read="ReadVariableOp",
    constant="Const",
    placeholder="Placeholder",
    callback="EagerPyFunc",
    identity="Identity",
    identities=frozenset({"Identity", "IdentityN"}),
    listing=frozenset(
        {"TensorListSetItem", "TensorListPushBack", "TensorListGetItem", "TensorListPopBack", "TensorListStack"}
        | {"TensorListGather", "TensorListConcat", "TensorListConcatV2", "TensorListFromTensor", "TensorListScatter"}
        | {"TensorListReserve", "TensorListResize", "TensorListSplit", "TensorListLength"}
    ),
    enlisting=frozenset({"TensorListSetItem", "TensorListPushBack"}),
    differing=frozenset({"Sub", "SquaredDifference"}),
    squaring=frozenset({"SquaredDifference"}),
    adding=frozenset({"Add", "AddV2", "AddN", "BiasAdd", "Sub"}),
    plain_adding=frozenset({"AddV2", "Add", "Sub"}),
    moving=frozenset(
        {
            "Identity",
            "IdentityN",
            "StopGradient",
            "Cast",
            "Reshape",
            "ExpandDims",
            "Squeeze",
            "Transpose",
            "BroadcastTo",
        }
        | {"Tile", "Pack", "Unpack", "ConcatV2", "Slice", "StridedSlice", "Split", "SplitV", "GatherV2", "GatherNd"}
        | {"ResourceGather", "ResourceGatherNd", "ReverseV2", "Roll", "MatrixDiagPartV3", "ReadVariableOp"}
    ),
)
