"""Where a tensor was chosen that a function was only handed, and where the session was made that it met there."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserStack
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def outermost(tensor: Any, place: UserStack, live: LiveFailure) -> UserStack:
    """The user's call that named the tensor; functions that have it as a parameter only pass it on."""
    outer = callers(place, live)
    while outer and _is_given(tensor, place):
        frame = outer.pop()
        if frame.location is None:
            break
        place = UserStack(place.exception, (frame,))
    return place


def callers(place: UserStack, live: LiveFailure) -> list[Frame]:
    """The frames outside of a place, outermost first, in the traceback that the place is from."""
    for frames in live.frames:
        for index, frame in enumerate(frames):
            if frame.frame is place.own.frame:
                return list(frames[:index])
    return []


def _is_given(tensor: Any, place: UserStack) -> bool:
    code = place.own.frame.f_code
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return any(place.own.frame.f_locals.get(name) is tensor for name in parameters)


def opened(session: Any, place: UserStack, sources: Sources) -> Location | None:
    """The call in the failed function that made the session and left it to the thread's own default graph."""
    names = [name for name, value in place.own.frame.f_locals.items() if value is session]
    scope = sources.function(place.own.location) or sources.tree(place.own.location.file)
    for node in ast.walk(scope) if scope is not None else ():
        for name, value in _bound(node):
            if name in names and isinstance(value, ast.Call) and reading.callee(value).endswith("Session"):
                given = reading.argument(value, 1, "graph")
                return None if given is not None else reading.place(value, place.own.location, sources)
    return None


def _bound(node: ast.AST) -> list[tuple[str, ast.expr]]:
    if isinstance(node, (ast.With, ast.AsyncWith)):
        items = [(item.optional_vars, item.context_expr) for item in node.items]
    elif isinstance(node, ast.Assign):
        items = [(target, node.value) for target in node.targets]
    else:
        return []
    return [(target.id, value) for target, value in items if isinstance(target, ast.Name)]
