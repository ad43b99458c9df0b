"""Functions that hand on no gradient, by their full names, and the operations that a run names for them."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tensorwhy.model.facts.gradient import BreakKind
from tensorwhy.source.reading import argument


class Kills(NamedTuple):
    """The kind of break, the operation as TensorFlow calls it, and whether it gives integers or truth values."""

    kind: BreakKind
    op: str
    whole: bool = False


_COMPARISONS = {
    "equal": "Equal",
    "not_equal": "NotEqual",
    "greater": "Greater",
    "greater_equal": "GreaterEqual",
    "less": "Less",
    "less_equal": "LessEqual",
}
_WHOLE = {"argmax": "ArgMax", "argmin": "ArgMin", **_COMPARISONS}
_STEPS = {"round": "Round", "floor": "Floor", "ceil": "Ceil", "rint": "Rint", "floordiv": "FloorDiv"}
_ROOMS = ("tensorflow", "tensorflow.math")
KILLING = {
    **{f"{room}.{name}": Kills("no-gradient", op) for room in _ROOMS for name, op in _STEPS.items()},
    **{f"{room}.{name}": Kills("no-gradient", op, whole=True) for room in _ROOMS for name, op in _WHOLE.items()},
    "tensorflow.math.count_nonzero": Kills("no-gradient", "NotEqual", whole=True),
    "tensorflow.random.categorical": Kills("no-gradient", "Multinomial", whole=True),
    "tensorflow.numpy_function": Kills("callback", "PyFunc"),
    "tensorflow.stop_gradient": Kills("stop-gradient", "StopGradient"),
    "keras.backend.stop_gradient": Kills("stop-gradient", "StopGradient"),
    "keras.ops.stop_gradient": Kills("stop-gradient", "StopGradient"),
}
"""Not among them are `sign`, `argsort` and `top_k`, whose gradients are zeros."""

COMPARING = {
    ast.Gt: "Greater",
    ast.GtE: "GreaterEqual",
    ast.Lt: "Less",
    ast.LtE: "LessEqual",
    ast.Eq: "Equal",
    ast.NotEq: "NotEqual",
}

_NUMPY = """
    abs absolute add amax amin argmax argmin argsort array asarray average clip concatenate cos cumsum divide dot
    exp expand_dims float32 float64 hstack log log10 log1p log2 matmul max maximum mean median min minimum multiply
    norm percentile power prod quantile reshape round sign sin sort sqrt square squeeze stack std subtract sum tanh
    transpose var vstack where
"""
NUMPY = frozenset(f"{room}.{name}" for room in ("numpy", "numpy.linalg") for name in _NUMPY.split())
"""Functions that give an array or a number of NumPy, whatever they are given."""

_FRESH = "zeros ones zeros_like ones_like eye range shape size rank random.uniform random.normal"
FRESH = frozenset(f"tensorflow.{name}" for name in _FRESH.split())
"""Functions that hand on nothing of their first argument but its shape, or nothing at all."""

_OF_FIRST = """
    reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape expand_dims
    squeeze transpose tile gather gather_nd cumsum cumprod norm slice argmax argmin count_nonzero categorical
    cast identity ensure_shape constant convert_to_tensor
"""
_KEYWORDS = ("axis", "keepdims", "name", "shape", "depth", "dtype", "output_type", "perm", "num", "ord", "Tout")
_FIRST = ("input", "input_tensor", "tensor", "x", "value", "params", "indices", "logits", "a")


def values_of(call: ast.Call, name: str) -> list[ast.expr]:
    """What a function of this name computes with, of what it is given: the others tell it how."""
    first = argument(call, 0, *_FIRST)
    alone = name.rpartition(".")[2] in _OF_FIRST.split()
    return [first] if alone and first is not None else [*call.args, *carrying(call)]


def carrying(call: ast.Call) -> list[ast.expr]:
    """What is given by keywords that do not only say how."""
    return [each.value for each in call.keywords if each.arg not in _KEYWORDS]
