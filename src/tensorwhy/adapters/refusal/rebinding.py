"""A name that stood for another kind of object before: a variable, layer or function that its own result replaced."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import Rebound, RefusedObject
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_OF_ITS_KIND = ("a call", "the attribute", "an assignment")


def told(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact, with what the refused or called name stood for before."""
    return msgspec.structs.replace(fact, rebound=_found(fact, context)) if fact is not None else None


def _found(fact: RefusedObject, context: Context) -> Rebound | None:
    """The assignment that changed what the refused name stands for, where it fails for what it is, or the called one.

    A name that was merely handed over may have been given to a result on purpose.
    """
    index = context.stack.innermost_user()
    if index is None or fact.how not in ("operand", "condition"):
        return None
    asked = fact.thing.text if fact.call.startswith(_OF_ITS_KIND) else fact.call
    found = (_of_name(name, index, context) for name in _subjects(asked))
    return next((each for each in found if each is not None), None)


def _of_name(name: str, index: int, context: Context) -> Rebound | None:
    frame, sources = context.stack.frames[index], context.sources
    if frame.location is None:
        return None
    now = _kind(values.value(ast.parse(name, mode="eval").body, frame.frame), context)
    bound = _bindings(name, frame, sources)
    own = [each for each in bound if _of_itself(each, name)]
    before = [each for each in bound if each.lineno < frame.location.line]
    taken = (own or before or bound)[-1:]
    if not now or not taken:
        return None
    at = reading.place(taken[0], frame.location, sources)
    for was, made in _before(name, taken[0], bound, index, context):
        if (own or was) and was != now and made != at:
            return Rebound(name=name, was=was, now=now, at=at, made=made, itself=bool(own))
    return Rebound(name=name, was="", now=now, at=at, itself=True) if own else None


def _subjects(text: str) -> list[str]:
    """What an expression takes from: of `a.b[0].c` the attribute `a.b`, then the name `a`."""
    try:
        node: ast.AST = ast.parse(text, mode="eval").body
    except SyntaxError:  # a call that was cut short
        return []
    outer: ast.AST = node
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        outer, node = node, node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return []
    attribute = [ast.unparse(outer)] if isinstance(outer, ast.Attribute) else []
    return attribute + ([node.id] if node.id != "self" else [])


def _kind(thing: Any, context: Context) -> str:
    if thing is MISSING or isinstance(thing, type):
        return ""
    found = context.describe(thing)
    return found.what if found is not None else "function" if hasattr(thing, "__code__") else ""


def _bindings(name: str, frame: Frame, sources: Sources) -> Sequence[ast.stmt]:
    """The assignments to the name where it lives: in the function, in the module, or anywhere for an attribute."""
    assert frame.location is not None
    tree = sources.tree(frame.location.file)
    if tree is None:
        return []
    if "." in name:
        return sorted(_of_attribute(name, frame, tree), key=lambda each: each.lineno)
    scope = _scope(name, frame, sources)
    rebinding = [
        node
        for node in sources.nodes(frame.location.file)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.Global) and name in each.names for each in ast.walk(node))
    ]
    places = [scope] if scope is not None else [tree, *rebinding]
    bound = [each for scope in places for each in reading.assignments(scope, name)]
    return sorted(bound, key=lambda each: each.lineno)


def _of_attribute(name: str, frame: Frame, tree: ast.Module) -> Iterator[ast.stmt]:
    """The assignments to an attribute: by the same text, and by `self` in the classes of the object."""
    owner, _, attribute = name.rpartition(".")
    held = values.value(ast.parse(owner, mode="eval").body, frame.frame)
    classes = {each.__name__ for each in type(held).__mro__} if held is not MISSING else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in classes and owner != "self":
            inside = (each for each in ast.walk(node) if isinstance(each, ast.stmt))
            yield from (each for each in inside if f"self.{attribute}" in reading.targets(each))
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and name in reading.targets(node):
            yield node


def _value(statement: ast.stmt, name: str) -> ast.expr | None:
    """What a statement gives to a name, or to the attribute of that name of `self`."""
    return reading.assigned_value(statement, name) or reading.assigned_value(
        statement, f"self.{name.rpartition('.')[2]}"
    )


def _scope(name: str, frame: Frame, sources: Sources) -> ast.AST | None:
    assert frame.location is not None
    local = frame.frame.f_locals is not frame.frame.f_globals and name in frame.frame.f_locals
    return sources.function(frame.location, lambdas=False) if local else None


def _of_itself(statement: ast.stmt, name: str) -> bool:
    """`encoder = encoder(x)`: the name was callable until then, and stands for a result since."""
    value = _value(statement, name)
    return value is not None and any(
        isinstance(each, ast.Call) and ast.unparse(each.func) == name for each in ast.walk(value)
    )


def _before(
    name: str,
    taken: ast.stmt,
    bound: Sequence[ast.stmt],
    index: int,
    context: Context,
) -> Iterator[tuple[str, Location | None]]:
    """What the name stood for: what an earlier line made it, a function or class of that name, or an argument."""
    frame, sources = context.stack.frames[index], context.sources
    assert frame.location is not None
    for each in reversed([each for each in bound if each.lineno < taken.lineno]):
        made = _value(each, name)
        called = values.value(made.func, frame.frame) if isinstance(made, ast.Call) else MISSING
        yield context.kind(called), reading.place(each, frame.location, sources)
    scope = _scope(name, frame, sources) or sources.tree(frame.location.file)
    for node in ast.iter_child_nodes(scope) if scope is not None and "." not in name else ():
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            yield (
                "function" if isinstance(node, ast.FunctionDef) else "class",
                reading.place(node, frame.location, sources),
            )
    if isinstance(scope, ast.FunctionDef):
        given, at = _argument(name, scope, index, context)
        yield _kind(given, context), at


def _argument(name: str, function: ast.FunctionDef, index: int, context: Context) -> tuple[Any, Location | None]:
    """What the caller gave for a parameter."""
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    for caller in reversed(context.stack.frames[:index]):
        node = way.expression(caller, context.sources) if caller.user else None
        for call in [each for each in ast.walk(node) if isinstance(each, ast.Call)] if node is not None else []:
            if reading.callee(call) != function.name or name not in parameters:
                continue
            given = reading.argument(call, parameters.index(name), name)
            if given is not None:
                return values.value(given, caller.frame), caller.location
    return MISSING, None
