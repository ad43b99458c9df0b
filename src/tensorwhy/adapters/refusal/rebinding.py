"""A name that stood for another kind of object before: a variable, layer or function that its own result replaced."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.described import Described
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import Rebound
from tensorwhy.model.location import Location
from tensorwhy.recording import reading
from tensorwhy.recording.sources import Sources

Describe = Callable[[Any], "Described | None"]
Kind = Callable[[Any], str]
"""What the objects of a class are called; empty for any other class."""


def find(text: str, index: int, stack: Stack, describe: Describe, kind: Kind, sources: Sources) -> Rebound | None:
    """The assignment that changed what the name at the root of an expression stands for, before the frame failed."""
    frame = stack.frames[index]
    name = _root(text)
    if frame.location is None or not name:
        return None
    function = sources.function(frame.location, lambdas=False)
    for scope in (function, sources.tree(frame.location.file)):
        statements = list(reading.assignments(scope, name)) if scope is not None else []
        if scope is None or not statements:
            continue
        now = _kind(values.value(ast.Name(id=name, ctx=ast.Load()), frame.frame), describe)
        for was, made in _before(name, scope, statements, index, stack, describe, kind, sources):
            changed = [each for each in statements if sources.place(frame.location.file, each) != made]
            if was and now and was != now and changed:
                at = sources.place(frame.location.file, _last(changed, frame.location))
                return Rebound(name=name, was=was, now=now, at=at, made=made)
        return None
    return None


def _root(text: str) -> str:
    try:
        node: ast.AST = ast.parse(text, mode="eval").body
    except SyntaxError:  # a call that was cut short
        return ""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) and node.id not in ("self", "cls") else ""


def _last(statements: list[ast.stmt], failed: Location) -> ast.stmt:
    """The last one before the line that failed; in a loop, that may stand below it."""
    before = [each for each in statements if each.lineno < failed.line]
    return (before or statements)[-1]


def _kind(thing: Any, describe: Describe) -> str:
    if thing is MISSING or isinstance(thing, type):
        return ""
    found = describe(thing)
    return found.what if found is not None else "function" if hasattr(thing, "__code__") else ""


def _before(
    name: str,
    scope: ast.AST,
    statements: list[ast.stmt],
    index: int,
    stack: Stack,
    describe: Describe,
    kind: Kind,
    sources: Sources,
) -> Iterator[tuple[str, Location | None]]:
    """What the name stood for first: a function defined here, what its first value was made by, or an argument."""
    frame = stack.frames[index]
    assert frame.location is not None
    for each in getattr(scope, "body", []):
        if isinstance(each, ast.FunctionDef) and each.name == name:
            yield "function", sources.place(frame.location.file, each)
    first = statements[0]
    made = reading.assigned_value(first, name)
    if isinstance(made, ast.Call) and len(statements) > 1:
        found = kind(values.value(made.func, frame.frame))
        yield found, sources.place(frame.location.file, first)
    if isinstance(scope, ast.FunctionDef):
        given, at = _argument(name, scope, index, stack)
        yield _kind(given, describe), at


def _argument(name: str, function: ast.FunctionDef, index: int, stack: Stack) -> tuple[Any, Location | None]:
    """What the caller gave for a parameter."""
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    for caller in reversed(stack.frames[:index]):
        node = way.expression(caller, Sources()) if caller.user else None
        for call in [each for each in ast.walk(node) if isinstance(each, ast.Call)] if node is not None else []:
            if reading.callee(call) != function.name or name not in parameters:
                continue
            given = reading.argument(call, parameters.index(name), name)
            if given is not None:
                return values.value(given, caller.frame), caller.location
    return MISSING, None
