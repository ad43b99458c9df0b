"""Numbers that Python draws at random while a function is traced: the graph has them as constants, for good.

`random.random()` and `np.random.normal()` in a function that `Dataset.map` or `tf.function` traces run once. The
callables are looked up in the function's live frame, and recognised by the generator that they are methods of.
"""

from __future__ import annotations

import ast
import inspect
import random
import types
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.tracing.python_reads import QUIET, has_effect
from tensorwhy.adapters.tensorflow.tracing.python_values import MISSING, Code, Function, Scope
from tensorwhy.source import reading

# Of a generator, what gives no numbers; and the functions of the user that run once by their nature.
_NO_DRAW = {"seed", "getstate", "setstate", "get_state", "set_state", "shuffle", "spawn"}
_ONCE = {"__init__", "build"}
_NUMPY = ("RandomState", "Generator")


def candidates(function: Function) -> tuple[tuple[ast.Call, ast.stmt], ...]:
    """The calls of a function that may draw, each with its statement. What is drawn to be kept is left out."""
    if function.name in _ONCE:
        return ()
    kept = {name for each in ast.walk(function) if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
    return tuple(
        (call, statement)
        for statement in _statements(function.body)
        if not _keeps(statement, kept)
        for call in _calls(_head(statement))
    )


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        yield statement
        for block in _blocks(statement):
            yield from _statements(block)


def _blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if isinstance(block, list):
            yield block


def _head(statement: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement that are not in one of its blocks."""
    return [each for each in ast.iter_child_nodes(statement) if isinstance(each, (ast.expr, ast.withitem))]


def _keeps(statement: ast.stmt, declared: set[str]) -> bool:
    """Return whether the statement stores something where it outlives the call: then it was drawn once on purpose."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if isinstance(statement, ast.For):
        return False
    return any(
        isinstance(each, (ast.Attribute, ast.Subscript)) or (isinstance(each, ast.Name) and each.id in declared)
        for each in targets
    )


def _calls(nodes: list[ast.AST]) -> Iterator[ast.Call]:
    """The calls in expressions. A seed may be any number, once and for all; what a lambda does is not done here."""
    for node in nodes:
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.keyword) and "seed" in (node.arg or "")):
            continue
        if isinstance(node, ast.Call):
            if reading.last_name(node.func) in QUIET or reading.last_name(node.func) == "Variable":
                continue
            yield node
        yield from _calls(list(ast.iter_child_nodes(node)))


class Draw(msgspec.Struct, frozen=True):
    """`call` draws, in this file; `statement` of the traced function does it, perhaps by calling another function."""

    call: Any
    file: str
    statement: Any


def drawing(found: Iterable[tuple[ast.Call, ast.stmt]], scope: Scope, file: str, code: Code) -> list[Draw]:
    """Those of the calls that are methods of Python's or NumPy's random generators, or functions that call some."""
    draws = []
    for call, statement in found:
        target = _value(call.func, scope)
        if _draws(target):
            draws.append(Draw(call, file, statement))
        elif isinstance(target, _FUNCTIONS):
            draws += [Draw(each, target.__code__.co_filename, statement) for each in _inside(target, code)]
    return draws


def _inside(target: Any, code: Code) -> list[ast.Call]:
    """The draws that a function or method of the user's makes in any case."""
    function = code.of(target)
    if function is None:
        return []
    names = Scope.of_function(code, target, function)
    return [each for each, at in candidates(function) if at in function.body and _draws(_value(each.func, names))]


_FUNCTIONS = (types.FunctionType, types.MethodType)


def _draws(target: Any) -> bool:
    owner = getattr(target, "__self__", None) if isinstance(target, _METHODS) else None
    return _is_generator(owner) and getattr(target, "__name__", "") not in _NO_DRAW


_METHODS = (types.BuiltinMethodType, types.MethodType)


def _value(node: ast.expr, scope: Scope) -> Any:
    if isinstance(node, ast.Name):
        return scope.named(node.id)
    owner = _value(node.value, scope) if isinstance(node, ast.Attribute) else MISSING
    if owner is MISSING or not isinstance(node, ast.Attribute):
        return MISSING
    if isinstance(owner, types.ModuleType):
        return vars(owner).get(node.attr, MISSING)
    if _is_generator(owner):
        return getattr(owner, node.attr, MISSING)
    try:
        held = object.__getattribute__(owner, "__dict__")
    except (AttributeError, TypeError):
        return MISSING
    if node.attr in held:
        return held[node.attr]
    defined = inspect.getattr_static(type(owner), node.attr, MISSING)
    return types.MethodType(defined, owner) if isinstance(defined, types.FunctionType) else MISSING


def _is_generator(thing: Any) -> bool:
    kind = type(thing)
    return isinstance(thing, random.Random) or (kind.__module__.startswith("numpy.random") and kind.__name__ in _NUMPY)


def reaches(statement: ast.stmt, function: Function, lines: set[int]) -> bool:
    """True if the statement was executed, and the number decided something or went on. `lines` made operations."""
    block = next(block for block in _around(function) if any(each is statement for each in block))
    last = block[-1].end_lineno or block[-1].lineno
    if not any(statement.lineno <= line <= last for line in lines):
        return False
    if isinstance(statement, (ast.If, ast.While)):
        return _decides(statement)
    if any(reading.on_line(statement, line) for line in lines):
        return True
    bound = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in bound and each.lineno in lines
        for each in ast.walk(function)
    ) or any(
        isinstance(each, (ast.If, ast.While))
        and bound.intersection(name.id for name in ast.walk(each.test) if isinstance(name, ast.Name))
        and _decides(each)
        for each in ast.walk(function)
    )


def _decides(statement: ast.If | ast.While) -> bool:
    """Return whether it matters to the graph which way this goes."""
    return isinstance(statement, ast.While) or has_effect(statement)


def _around(function: Function) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        yield from _blocks(node)
