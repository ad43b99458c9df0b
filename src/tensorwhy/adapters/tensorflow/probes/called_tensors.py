"""A tensor that was called, because it took over the name of the layer, model or function that was meant."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.graphs import operands
from tensorwhy.model.facts.graph import CalledTensor
from tensorwhy.model.location import Location
from tensorwhy.recording import reading
from tensorwhy.recording.sources import Sources

_AUTOGRAPH = ("converted_call", "_call_unconverted")


def probe(live: LiveFailure) -> Iterable[CalledTensor]:
    """The tensor that the failed line calls, and the statement that gave it its name."""
    for place in live.roots():
        if isinstance(place.exception, TypeError) and all(
            frame.frame.f_code.co_name in _AUTOGRAPH for frame in place.inner
        ):
            sources = Sources()
            call = _call(place, sources)
            fact = _fact(call, place, sources) if call is not None else None
            if fact is not None:
                yield fact
                return


def _call(place: UserStack, sources: Sources) -> ast.Call | None:
    for node in operands.nodes(place, sources):
        for each in ast.walk(node):
            if (
                isinstance(each, ast.Call)
                and isinstance(each.func, (ast.Name, ast.Attribute))
                and _kind(operands.value_of(each.func, place))
            ):
                return each
    return None


def _kind(value: Any) -> str:
    """What the called thing is; empty when it is no tensor."""
    if packages.is_keras_tensor(value):
        return "symbolic Keras tensor"
    return "tensor" if isinstance(value, tf.Tensor) else ""


def _fact(call: ast.Call, place: UserStack, sources: Sources) -> CalledTensor | None:
    name, at = ast.unparse(call.func), place.own.location
    bound = _bindings(name, place, sources)
    own = [each for each in bound if _of_itself(each, name)]
    before = [each for each in bound if each.lineno < at.line]
    if not own and not before:
        return None
    taken = (own or before)[-1]
    first = _first(name, taken, bound, place, sources)
    if not own and first is None:
        return None  # the name never stood for anything else: the call itself is what is wrong
    return CalledTensor(
        name=name,
        kind=_kind(operands.value_of(call.func, place)),
        used=at,
        taken=reading.place(taken, at, sources),
        first=first,
        itself=bool(own),
    )


def _bindings(name: str, place: UserStack, sources: Sources) -> Sequence[ast.stmt]:
    """The assignments to the name where it lives: in the function, in the module, or anywhere for an attribute."""
    tree = sources.tree(place.own.location.file)
    if tree is None:
        return []
    if "." in name:
        found = [each for each in ast.walk(tree) if isinstance(each, (ast.Assign, ast.AnnAssign))]
        return sorted((each for each in found if name in reading.targets(each)), key=lambda each: each.lineno)
    scope = _scope(name, place, sources)
    rebinding = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.Global) and name in each.names for each in ast.walk(node))
    ]
    places = [scope] if scope is not None else [tree, *rebinding]
    bound = [each for scope in places for each in reading.assignments(scope, name)]
    return sorted(bound, key=lambda each: each.lineno)


def _scope(name: str, place: UserStack, sources: Sources) -> ast.AST | None:
    function = sources.function(place.own.location)
    local = place.own.frame.f_locals is not place.own.frame.f_globals and name in place.own.frame.f_locals
    return function if local else None


def _of_itself(statement: ast.stmt, name: str) -> bool:
    """`encoder = encoder(x)`: the name was callable until then, and stands for a result since."""
    value = reading.assigned_value(statement, name)
    return value is not None and any(
        isinstance(each, ast.Call) and ast.unparse(each.func) == name for each in ast.walk(value)
    )


def _first(
    name: str, taken: ast.stmt, bound: Sequence[ast.stmt], place: UserStack, sources: Sources
) -> Location | None:
    """Where the name had been bound to something else before."""
    earlier = [each for each in bound if each.lineno < taken.lineno]
    if earlier:
        return reading.place(earlier[-1], place.own.location, sources)
    scope = _scope(name, place, sources) or sources.tree(place.own.location.file)
    for each in ast.iter_child_nodes(scope) if scope is not None and "." not in name else ():
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each.name == name:
            return Location(file=place.own.location.file, line=each.lineno, function=place.own.location.function)
    return None
