"""Reads a failed look-up in the results of training: `history.history["val_loss"]`, or `logs["acc"]` in a callback.

The dict is known by what it is, not by how the program calls it: it is held by a callback, or Keras gave it to one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.failures import lookup
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import handed
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.data import MissingName
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_RESULTS = "history"


def lookups(live: LiveFailure, generation: int) -> Iterator[MissingName]:
    """The name that the results of a training with this generation do not have."""
    sources = Sources()
    for stack in live.whole():
        own = stack.own
        if own is None or not isinstance(stack.exception, KeyError) or not stack.raised.user:
            continue
        for node, held in handed.lookups(own, stack.exception, sources):
            owner, trained = _given(stack, node, sources) or _holder(node, held, own) or (None, None)
            if owner is None or packages.generation_of(owner) != generation or not all(map(_is_name, held)):
                continue
            yield MissingName(
                callback="",
                name=str(stack.exception.args[0]),
                names=tuple(held),
                epochs=max((len(each) for each in held.values() if isinstance(each, list)), default=0),
                trained=trained,
                used=reading.where(node, own.location.file, own.location.function, sources),
            )
            return


def _is_name(key: object) -> bool:
    return isinstance(key, str)


def _given(stack: Stack, node: ast.Subscript, sources: Sources) -> tuple[Any, Location | None] | None:
    """The callback that Keras gave these results to, and the call that trained."""
    own = stack.own
    owner = own.local("self") if own is not None else None
    if packages.kind_of(owner) != "callback" or own is None:
        return None
    caller = handed.giver(stack, node.value, sources)
    return (owner, caller.location) if caller is not None else None


def _holder(node: ast.Subscript, held: dict[Any, Any], own: Frame) -> tuple[Any, Location | None] | None:
    """The object of `fit` that holds this very dict: as it is written, or what the names here stand for."""
    written = lookup.value(node.value.value, own) if isinstance(node.value, ast.Attribute) else None
    known = [written, *locals_of(own.frame).values(), *own.frame.f_globals.values()]
    for thing in known:
        kind = packages.kind_of(thing)
        owner = vars(thing).get(_RESULTS) if kind == "model" else thing if kind == "callback" else None
        if packages.kind_of(owner) == "callback" and vars(owner).get(_RESULTS) is held:
            return owner, creations.made(owner)
    return None
