"""The kernels of TensorFlow by what they do, for the lineage: calls and branches, and what they do with zeros."""

from __future__ import annotations

from tensorwhy.model.optable import OpKinds

CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall"})
BRANCHES = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
LOOPS = frozenset({"While", "StatelessWhile"})
DIVIDING = frozenset({"RealDiv", "Div", "DivNoNan"})
DIFFERING = frozenset({"Sub", "SquaredDifference"})

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
    multiplying=frozenset(
        {"Mul", "MulNoNan", "MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Conv2D", "Conv1D", "Conv3D"}
        | {"DepthwiseConv2dNative", "Einsum", "XlaDot", "Conv2DBackpropInput"}
    ),
    scaling=frozenset({"Mul", "MulNoNan"}),
    dividing=DIVIDING,
    differing=DIFFERING,
    squaring=frozenset({"SquaredDifference"}),
    rectifying=frozenset({"Relu", "Relu6", "Elu"}),
    saturating=frozenset({"Tanh", "Sigmoid", "Softmax", "Softplus", "Exp", "Erf"}),
    limiting=frozenset({"ClipByValue", "Maximum", "Minimum"}),
    flooring=frozenset({"Maximum"}),
    selecting=frozenset({"Select", "SelectV2"}),
    comparing=frozenset(
        {"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "LogicalAnd", "LogicalNot", "LogicalOr"}
        | {"Cast", "OneHot", "ZerosLike", "Fill", "LookupTableFind", "LookupTableFindV2"}
    ),
    summing=frozenset({"Sum", "Mean", "MatMul", "BatchMatMulV2", "BatchMatMulV3", "Einsum", "Tensordot", "AddN"}),
    vanishing=frozenset({"Square", "Abs", "L2Loss", "ComplexAbs", "Pow"}),
    adding=frozenset({"Add", "AddV2", "AddN", "BiasAdd", "Sub"}),
    plain_adding=frozenset({"AddV2", "Add", "Sub"}),
    keeping=frozenset({"Relu", "Tanh"}),
    passing=frozenset(
        {"Identity", "Reshape", "ExpandDims", "Squeeze", "Transpose", "Sum", "Mean", "Neg", "Tanh", "Sqrt", "Tile"}
        | {"BroadcastTo", "Max", "Min", "StridedSlice", "GatherV2", "Pad", "MaxPool", "AvgPool", "Softsign"}
        | {"Cumsum", "Erf", "Sin", "Sinh", "Gather", "ReadVariableOp", "ResourceGather", "PartitionedCall"}
    ),
    copying=frozenset({"Identity", "StopGradient"}),
)
