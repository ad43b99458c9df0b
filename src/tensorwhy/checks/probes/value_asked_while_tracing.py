"""A value that is asked of a tensor which has none, as its function is being traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.tracing.compiled import compiled
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.graph import EagerOnlyInGraph, Symbolic
from tensorwhy.model.report import Symptom
from tensorwhy.source.scopes import Step

READS = (*WORDS, ".compile(")

_TWINS = {
    **{name: f"tf.{name}" for name in ("exp", "sqrt", "abs", "square", "sin", "cos", "tanh", "sign", "floor")},
    **{name: f"tf.{name}" for name in ("stack", "where", "argmax", "argmin", "argsort", "maximum", "minimum")},
    **{name: f"tf.math.{name}" for name in ("log", "log1p", "ceil", "cumsum", "isnan")},
    **{"array": "tf.convert_to_tensor", "asarray": "tf.convert_to_tensor", "concatenate": "tf.concat"},
    **{"sum": "tf.reduce_sum", "prod": "tf.reduce_prod", "std": "tf.math.reduce_std", "var": "tf.math.reduce_variance"},
    **{
        "power": "tf.pow",
        "clip": "tf.clip_by_value",
        "matmul": "tf.matmul",
        "round": "tf.round",
        "dot": "tf.tensordot",
    },
    **{"sort": "tf.sort", "tile": "tf.tile", "repeat": "tf.repeat", "squeeze": "tf.squeeze"},
    **{"expand_dims": "tf.expand_dims", "any": "tf.reduce_any", "all": "tf.reduce_all", "float32": "", "float64": ""},
    **dict.fromkeys(("load", "frombuffer"), ""),
}
"""Functions of NumPy that take no tensor without a value, and those of TensorFlow that do the same."""
_MATH = ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "floor", "ceil", "pow", "atan2", "radians")
_NUMBERS = ("float", "int")
"""Of Python's own, what AutoGraph replaces."""
_FILES = ("join", "exists", "isfile", "isdir", "basename", "dirname", "splitext", "split", "abspath")
_TEXTS = {
    **dict.fromkeys(("decode", "encode", "startswith", "endswith", "rsplit", "rstrip", "lstrip"), ""),
    **{name: f"tf.strings.{name}" for name in ("split", "strip", "lower", "upper")},
    "replace": "tf.strings.regex_replace",
}
"""Methods of strings, and what TensorFlow has in their place."""

Kind = Literal["method", "numpy", "call"]


def find(module: Module) -> Iterator[CaseGroup]:
    """`.numpy()`, functions of NumPy and of `math`, and of Python's own what AutoGraph does not replace."""
    for one in (*traced(module), *compiled(module)):
        for step, node in one.expressions:
            found = _asks(one, step, node) if isinstance(node, ast.Call) else None
            if found is None or not isinstance(node, ast.Call):
                continue
            kind, of, twin = found
            place = module.place(node)
            fact = EagerOnlyInGraph(
                tensor=Symbolic(graph=one.graph, dtype="string" if kind == "method" and _is_text(node) else ""),
                operation=kind,
                name=node.func.attr if kind == "method" else ast.unparse(node.func),  # type: ignore[attr-defined]
                used=place,
                tensor_text=ast.unparse(of),
                twin=twin,
                autograph=one.autograph,
            )
            yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _asks(one: Traced, step: Step | None, call: ast.Call) -> tuple[Kind, ast.expr, str] | None:
    """What a call asks, of which expression, and the function of TensorFlow to ask instead."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "numpy" and not call.args:
        return ("method", function.value, "") if _a_tensor(one, step, function.value) else None
    if isinstance(function, ast.Attribute) and function.attr in _TEXTS and one.symbolic(function.value, step):
        return "method", function.value, _TEXTS[function.attr]
    room, _, last = one.module.called(call, one.scope).rpartition(".")
    if (room, last) == ("json", "loads") or (room == "os.path" and last in _FILES):
        path = next((each for each in call.args if one.symbolic(each, step)), None)
        return ("call", path, "") if path is not None else None
    first = call.args[0] if call.args else None
    if first is None or not one.symbolic(first, step):
        return None
    if isinstance(function, ast.Name) and function.id in (*_NUMBERS, "open"):
        if _bound(one, function.id) or (function.id in _NUMBERS and (one.autograph is not False or len(call.args) > 1)):
            return None
        return "call", first, "tf.io.read_file" if function.id == "open" else "tf.cast"
    if room == "math" and last in _MATH:
        return "call", first, _TWINS.get(last, "")
    return ("numpy", first, _TWINS[last]) if room == "numpy" and last in _TWINS else None


def _is_text(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _TEXTS


def _a_tensor(one: Traced, step: Step | None, node: ast.expr) -> bool:
    """True if it is symbolic; a parameter that is asked `.numpy()` is a tensor, and no tensor keeps its value."""
    if one.symbolic(node, step):
        return True
    given = one.node.args
    named = [each.arg for each in (*given.posonlyargs, *given.args)]
    free = named[: len(named) - len(given.defaults)]
    return isinstance(node, ast.Name) and node.id in free and node.id not in (*one.scope.bindings, "self", "cls")


def _bound(one: Traced, name: str) -> bool:
    scope = one.scope
    return scope.binds(name) or any(each.binds(name) for each in one.module.scopes if each.outer is None)
