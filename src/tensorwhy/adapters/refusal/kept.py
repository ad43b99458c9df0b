"""What an earlier call of the program gave a library to keep, and the library failed on later: `compile(metrics=...)`.

The call that fails was not given it. The adapter knows what its objects were configured with, and where; the frames
tell which of that the library was working with, by identity.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 8


def find(context: Context, about: RefusedObject | None = None) -> RefusedObject | None:
    """The setting that the innermost library frame worked with; None where none of them is there.

    With a failed condition that is known already, only the setting that has one of its values as a name.
    """
    stack = context.stack
    own, last = stack.own, stack.innermost_user()
    if own is None or last is None or own.location is None:
        return None
    inner = stack.frames[last + 1 :]
    known = next((found for each in inner if (found := context.settings(each.local("self"))) is not None), None)
    if known is None:
        return None
    met = [
        (frame, key)
        for frame in reversed(inner)
        for key, value in known.given.items()
        if isinstance(value, values.CONTAINERS) and value
        if (_holds(frame, value) if about is None else _names_one(value, about))
    ]
    # Deep inside a library walks through containers; the frame that knows names beside them tells more.
    frame, key = next((each for each in met if [*_names(each[0])]), met[0] if met else (None, ""))
    if frame is None:
        return None
    value, (call, text) = known.given[key], _written(known.at, key, context.sources)
    return RefusedObject(
        thing=Thing(text=text or key, what=type(value).__name__),
        used=own.location,
        call=context.called(own),
        how="parked",
        check=Check(by=about.check.by, condition=about.check.condition, known=about.check.known)
        if about is not None
        else Check(by=frame.qualified, known=tuple(f"{each} = {held!r}" for each, held in _names(frame))),
        parked=known.at,
        holder=call,
        advice=tuple(_advice(value, frame))[:1],
        sure=False,
    )


def _names_one(value: Any, about: RefusedObject) -> bool:
    """Return whether what failed is about one of the names in a setting."""
    return any(isinstance(each, str) and repr(each) == side.value for each in value for side in about.check.sides)


def _holds(frame: Frame, value: Any) -> bool:
    return any(each is value or _is_same(each, value) for each in locals_of(frame.frame).values())


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two plain containers hold the same: a library may have copied it."""
    return type(one) is type(other) and _is_plain(one) and _is_plain(other) and bool(one == other)


def _is_plain(thing: Any) -> bool:
    return isinstance(thing, values.CONTAINERS) and all(
        type(each) in (str, int, float) for each in values.leaves(thing)
    )


def _written(at: Location, key: str, sources: Sources) -> tuple[str, str]:
    """What the call that set it calls, and how the argument is written there."""
    node = reading.node_at(at, sources)
    if not isinstance(node, ast.Call):
        return "an earlier call", ""
    given = next((each.value for each in node.keywords if each.arg == key), None)
    return ast.unparse(node.func), ast.unparse(given) if given is not None else ""


def _names(frame: Frame) -> Iterator[tuple[str, Any]]:
    """The lists of names that the frame has beside it."""
    for key, held in locals_of(frame.frame).items():
        if isinstance(held, (list, tuple)) and 0 < len(held) <= _MOST and all(isinstance(each, str) for each in held):
            yield key, held


def _advice(value: Any, frame: Frame) -> Iterator[str]:
    for key, names in _names(frame):
        others = [each for each in value if each not in names] if isinstance(value, dict) else []
        if others:
            yield f"use only names from `{key}` ({', '.join(map(repr, names))}): {others[0]!r} is none of them"
        elif len(value) != len(names):
            yield f"give {len(names)} entries, one for each of `{key}`, or a dict by those names"
