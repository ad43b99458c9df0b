"""Describes a value that reached a Keras call: what it is, the user's name for it, and the expression that made it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FrameType
from typing import Any

from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.symbolic import Given
from tensorwhy.model.location import Location
from tensorwhy.model.report import TensorRef
from tensorwhy.recording import bindings
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_KINDS = {
    "eager tensor": "tensor",
    "graph tensor": "symbolic",
    "variable": "variable",
    "array": "array",
    "symbolic Keras tensor": "keras-tensor",
}


def describe(
    thing: Any,
    stack: Stack,
    upto: int,
    user: UserCode,
    sources: Sources,
    *,
    parameter: str = "",
    position: int = 0,
    path: Sequence[object] = (),
) -> Given:
    """The value as the user would describe it. `upto` is the index of the library frame that received it.

    `parameter` and `position` say which argument of the user's call it arrived in, `path` where inside of it.
    """
    frames = stack.user_frames(upto)
    # A function that gives data is right; what it was called for is not. One that gives an uncalled layer is wrong.
    inside = {} if packages.sort(thing) not in ("eager tensor", "array") else {"depth": 0}
    found = bindings.origin(thing, frames, sources, user, **inside)
    written, call, node = None, None, None
    if frames:
        location = frames[-1][1]
        call = reading.call_at(location, sources)
        if call is not None:
            node = reading.element(reading.argument(call, position, parameter), path)
            if node is not None:
                written = reading.where(node, location.file, location.function, sources)
                if not found.name and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
                    found = bindings.Origin(name=ast.unparse(node), location=found.location)
    made = maker(thing) or found.location
    if made is None and written is not None and not found.name:
        made = _begun(node, frames[-1], sources) or written
    return Given(
        sort=packages.sort(thing),
        name=found.name,
        made=made,
        written=written,
        parameter=parameter,
        tensor=reference(thing, found.name, made),
    )


def _begun(node: ast.expr | None, frame: tuple[FrameType, Location], sources: Sources) -> Location | None:
    """Where the tensor with values began that this call goes on from; None where it is not one name's."""
    given = [each for each in node.args if isinstance(each, ast.Name)] if isinstance(node, ast.Call) else []
    known = locals_of(frame[0])
    eager = [each.id for each in given if packages.sort(known.get(each.id)) == "eager tensor"]
    return bindings.begun(eager[0], *frame, sources) if len(eager) == 1 else None


def maker(thing: Any) -> Location | None:
    """Where a remembered object (or the node that produced a Keras tensor) was made."""
    if packages.is_keras_tensor(thing):
        produced = nodes.producer(thing)
        return creations.made(produced[1]) if produced is not None else None
    return creations.made(thing)


def reference(thing: Any, name: str, location: Location | None) -> TensorRef:
    """A tensor-like value as people name it."""
    if packages.is_keras_tensor(thing):
        return nodes.reference(thing, name)
    sort = packages.sort(thing)
    kind = _KINDS.get(sort, "other")
    if kind == "other":
        return TensorRef(name=name, kind="other", location=location)
    return TensorRef(
        name=name,
        kind=kind,  # type: ignore[arg-type]
        dtype=nodes.dtype(thing),
        shape=nodes.shape(thing),
        location=location,
    )


def called(stack: Stack, upto: int, sources: Sources, default: str) -> str:
    """How the user wrote the function that is being called (`keras.Model`)."""
    frames = stack.user_frames(upto)
    call = reading.call_at(frames[-1][1], sources) if frames else None
    return ast.unparse(call.func) if call is not None else default
