"""Reads a failed look-up in the results of `fit`: `history.history["val_loss"]`, and no epoch has that name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.failures import lookup
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.data import MissingName
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
        for node in _subscripts(own, sources):
            owner = lookup.value(node.value.value, own) if isinstance(node.value, ast.Attribute) else None
            held = vars(owner).get(_RESULTS) if packages.kind_of(owner) == "callback" else None
            if packages.generation_of(owner) != generation or not isinstance(held, dict):
                continue
            name = stack.exception.args[0] if stack.exception.args else None
            if isinstance(node.slice, ast.Constant) and node.slice.value != name:
                continue
            if isinstance(name, str) and name not in held and held:
                yield MissingName(
                    callback="",
                    name=name,
                    names=tuple(str(each) for each in held),
                    epochs=max((len(each) for each in held.values() if isinstance(each, list)), default=0),
                    trained=creations.made(owner),
                    used=reading.where(node, own.location.file, own.location.function, sources),
                )
                return


def _subscripts(own: Frame, sources: Sources) -> Iterator[ast.Subscript]:
    """The look-ups in attributes called `history` that the failed statement makes."""
    statement = sources.statement(own.location) if own.location is not None else None
    for each in ast.walk(statement) if statement is not None else ():
        if isinstance(each, ast.Subscript) and getattr(each.value, "attr", "") == _RESULTS:
            yield each
