"""What calls of TensorFlow's functions give: as far as the name of the function tells."""

from __future__ import annotations

import ast

from tensorwhy.checks.text.modules import Module
from tensorwhy.source.scopes import Scope

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)
"""Operators that are operations where a tensor stands on a side; `+` puts lists together, too."""
_WORDS = """
    abs acos acosh add add_n argmax argmin asin asinh atan atan2 atanh ceil clip_by_norm clip_by_value concat cos cosh
    cumprod cumsum divide einsum equal exp expand_dims floor gather gather_nd greater greater_equal less less_equal
    logical_and logical_not logical_or matmul maximum minimum multiply negative norm not_equal one_hot pad pow
    reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape round
    scalar_mul sigmoid sign sin sinh slice sqrt square squeeze stack subtract tan tanh tensordot tile transpose truediv
    where
"""
_MATH = frozenset(_WORDS.split())
"""Functions of `tf` that always run an operation, and give its result."""


def operation(name: str) -> str:
    """The last part of the name of a function of TensorFlow that always runs an operation; empty for any other."""
    room, _, last = name.rpartition(".")
    if room == "tensorflow":
        return last if last in _MATH else ""
    return last if room in _ROOMS and last[:1].islower() else ""


_ROOMS = ("tensorflow.math", "tensorflow.linalg", "tensorflow.nn", "tensorflow.image")
_MAY_GIVE_BACK = ("add_n", "accumulate_n", "real", "conj", "dropout", "central_crop", "stack")
"""What gives back the very tensor that it was given, where nothing is to be done with it."""


def makes_tensor(module: Module, scope: Scope, node: ast.expr) -> bool:
    """Return whether an expression runs an operation when it is evaluated, and its value is that of the operation."""
    if isinstance(node, ast.Call):
        made = operation(module.called(node, scope))
        return bool(made) and made not in _MAY_GIVE_BACK
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and makes_tensor(module, scope, node.operand)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        if isinstance(node.op, ast.Add):
            return any(makes_tensor(module, scope, side) or isinstance(side, ast.Constant) for side in sides)
        return isinstance(node.op, ARITHMETIC)
    return False


_MAKERS = (
    *("constant", "zeros", "ones", "fill", "eye", "range", "linspace", "zeros_like", "ones_like"),
    *("convert_to_tensor", "cast"),
)
_ARRAYS = ("array", "asarray", "zeros", "ones", "full", "arange", "linspace", "eye")
_WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "string")


def plain_tensor(module: Module, scope: Scope, node: ast.expr, before: bool) -> str:
    """Return whether an expression gives a tensor that is no variable ("tensor"), or an array ("ndarray"); else empty.

    Within the block of a tape (not `before` it) only what is written out has no part in what the tape records.
    """
    name = module.called(node, scope)
    if not before and any(isinstance(each, ast.Name) and not _is_module(module, each) for each in ast.walk(node)):
        return ""
    room, _, last = name.rpartition(".")
    if (room == "numpy" and last in _ARRAYS) or room == "numpy.random":
        return "ndarray"
    made = room == "tensorflow" and (last in _MAKERS or last in _MATH)
    return "tensor" if made or room == "tensorflow.random" else ""


def _is_module(module: Module, node: ast.Name) -> bool:
    return node.id in module.imported


def dtype_of(module: Module, scope: Scope, node: ast.expr) -> str:
    """The dtype that a tensor or variable gets for certain, if gradients do not exist for it; else empty."""
    if not isinstance(node, ast.Call):
        return ""
    last = module.called(node, scope).rpartition(".")[2]
    for keyword in node.keywords:
        if keyword.arg == "dtype":
            return whole_dtype(module, scope, keyword.value)
        if keyword.arg is None:
            return ""
    if last == "cast" and len(node.args) == 2:
        return whole_dtype(module, scope, node.args[1])
    if last == "constant" and len(node.args) == 2:
        return whole_dtype(module, scope, node.args[1])
    if last in ("constant", "Variable", "convert_to_tensor") and len(node.args) == 1:
        numbers = _numbers(node.args[0])
        return "int32" if numbers and all(type(each) is int for each in numbers) else ""
    if last == "range" and node.args and not node.keywords:
        numbers = [number for each in node.args for number in _numbers(each)]
        return "int32" if len(numbers) == len(node.args) and all(type(each) is int for each in numbers) else ""
    return ""


def whole_dtype(module: Module, scope: Scope, node: ast.expr) -> str:
    """The name of a dtype without gradients that an expression names; empty for any other."""
    name = node.value if isinstance(node, ast.Constant) else module.named(node, scope).removeprefix("tensorflow.")
    return name if name in _WHOLE else ""


def _numbers(node: ast.expr) -> list[object]:
    """The numbers in a literal, nested in lists or not; none where there is anything else in it."""
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [_numbers(each) for each in node.elts]
        return [number for part in parts for number in part] if all(parts) else []
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _numbers(node.operand)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)) else []
