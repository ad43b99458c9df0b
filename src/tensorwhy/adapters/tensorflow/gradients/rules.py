"""What the lineage must know of this TensorFlow: its dtypes, its tables, and which operations move or store values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from tensorwhy.adapters.tensorflow.gradients.op_kinds import KINDS
from tensorwhy.lineage.rules import Rules
from tensorwhy.model.location import Location
from tensorwhy.model.optable import OpFacts
from tensorwhy.model.question import Function, Variable


def rules(
    functions: Mapping[str, Function],
    variables: Mapping[int, Variable],
    assembled: Callable[[int], Location | None],
    part: Callable[[int], tuple[str, Location] | None],
    collected: Callable[[int], Location | None] = lambda tensor: None,
) -> Rules:
    """The rules of the installed TensorFlow, for the functions and variables of one recording."""
    return Rules(
        dtypes=dtype_names(),
        differentiable=_differentiable(),
        op=_op,
        shape_only=_SHAPE_ONLY,
        assigning={**_ASSIGNING, **{name: position for name, (_, position) in _HOLDING.items()}},
        storing=_STORING,
        reading=_READING,
        holding={name: kind for name, (kind, _) in _HOLDING.items()},
        taking=_TAKING,
        feeding=_FEEDING,
        copying=_COPYING,
        unnamed=UNNAMED,
        converting=_CONVERTING,
        callbacks=_CALLBACKS,
        functions=functions,
        variables=variables,
        assembled=assembled,
        part=part,
        kinds=KINDS,
        recorder="tape",
        stop="stop_gradient",
        collected=collected,
    )


@functools.cache
def dtype_names() -> dict[int, str]:
    """TensorFlow's names of its dtypes, by number."""
    from tensorflow.python.framework import dtypes

    return {number: dtype.name for number, dtype in dtypes._INTERN_TABLE.items() if number < 100}


def trainable(dtype: str) -> bool:
    """Whether a tape records what is computed from a tensor of this dtype."""
    return dtype in _trainable_dtypes()


@functools.cache
def _trainable_dtypes() -> frozenset[str]:
    from tensorflow.python.eager import backprop_util
    from tensorflow.python.framework import dtypes

    known = map(dtypes.as_dtype, dtypes._TYPE_TO_STRING)
    return frozenset(each.name for each in known if not each._is_ref_dtype and backprop_util.IsTrainable(each))


@functools.cache
def _differentiable() -> frozenset[int]:
    return frozenset(number for number, name in dtype_names().items() if trainable(name))


@functools.cache
def _op(name: str, inputs: tuple[str | None, ...], outputs: tuple[str | None, ...]) -> OpFacts:
    from tensorwhy.adapters.tensorflow.gradients.tables import op_facts

    return op_facts(name.partition("|")[0], n_inputs=len(inputs), input_dtypes=inputs, output_dtypes=outputs)


@functools.cache
def facts_without_dtypes(name: str, inputs: int) -> OpFacts:
    """The facts of an operation with so many inputs, whatever their dtypes are."""
    from tensorwhy.adapters.tensorflow.gradients.tables import op_facts

    return op_facts(name.partition("|")[0], n_inputs=inputs)


_SHAPE_ONLY = frozenset({"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"})
_ASSIGNING = {
    "AssignVariableOp": 1,
    "AssignAddVariableOp": 1,
    "AssignSubVariableOp": 1,
    "ResourceStridedSliceAssign": 4,
    "ResourceScatterUpdate": 2,
    "ResourceScatterAdd": 2,
    "ResourceScatterSub": 2,
    "ResourceScatterNdUpdate": 2,
    "ResourceScatterNdAdd": 2,
    "ResourceScatterNdSub": 2,
    # The variables of TensorFlow 1 are tensors, and what assigns to one gives it back.
    "Assign": 1,
    "AssignAdd": 1,
    "AssignSub": 1,
    "ScatterUpdate": 2,
    "ScatterAdd": 2,
    "ScatterSub": 2,
    "ScatterNdUpdate": 2,
    "ScatterNdAdd": 2,
    "ScatterNdSub": 2,
}
_STORING = frozenset({"AssignVariableOp", "Assign"})
_HOLDING = {
    **dict.fromkeys(("QueueEnqueueV2", "QueueEnqueueManyV2"), ("queue", 1)),
    **dict.fromkeys(("LookupTableInsertV2", "LookupTableImportV2"), ("table", 2)),
}
"""Operations that store in what is no variable, what that is, and the position of what they store."""
_TAKING = frozenset({"QueueDequeueV2", "QueueDequeueManyV2", "QueueDequeueUpToV2", "LookupTableFindV2"})
UNNAMED = frozenset({"Variable"})
"""What TensorFlow names variables that were given no name."""
_READING = frozenset({"ReadVariableOp", "ResourceGather", "ResourceGatherNd"})
_FEEDING = frozenset({"MakeIterator"})
_COPYING = frozenset({"ReadVariableOp", "Identity", "IdentityN", "Cast", "Reshape", "convert", "captured_value"})
_CONVERTING = frozenset({"Cast"})
_CALLBACKS = frozenset({"PyFunc", "PyFuncStateless", "EagerPyFunc"})
