"""Weights whose attribute of a layer was given a plain tensor, where the layer then lists no variable any more.

Keras 2 forgets a variable with its attribute. Who does so to compute with the new tensors may; but a gradient for the
layer's `trainable_variables` is then one of an empty list.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.patches import replaced
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 64
_SHOWN = 3


class _Replaced(msgspec.Struct, frozen=True):
    layer: weakref.ref[Any]
    name: str
    place: tuple[CodeType, int]
    made: Location | None


_ROWS: dict[tuple[int, str], _Replaced] = {}
_BARE: dict[str, _Replaced] = {}
_ASKED: dict[tuple[CodeType, int], None] = {}


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every variable of a layer that a tensor takes the place of. Returns what takes the hook out."""

    def before(layer: Any, name: str, value: Any) -> None:
        old = layer.__dict__.get(name)
        if old is None or packages.sort(old) != "variable" or packages.sort(value) not in _TENSORS:
            return
        place = locations.caller(user, sys._getframe(1)) if old.trainable and len(_ROWS) < _MOST else None
        if place is not None:
            _ROWS[id(layer), name] = _Replaced(weakref.ref(layer), name, place, creations.made(layer))

    put_back = replaced(layer_class, "__setattr__", lambda original: around(original, before, _nothing))

    def undo() -> None:
        put_back()
        _ROWS.clear()
        _BARE.clear()
        _ASKED.clear()

    return undo


_TENSORS = ("eager tensor", "graph tensor")


def _nothing(*_: Any) -> None:
    """A hook that looks before the call only."""


def asked(place: tuple[CodeType, int] | None) -> None:
    """A gradient is asked for an empty list: are there layers that list nothing to train for this reason?"""
    if place is None or place in _ASKED or len(_ASKED) == _MOST:
        return
    for row in _ROWS.values():
        layer = row.layer()
        if layer is not None and not layer.trainable_variables:
            _BARE[f"`{layer.name}.{row.name}`"] = row
    if _BARE:
        _ASKED[place] = None


def failed(live: LiveFailure, generation: int) -> Iterator[Observed]:
    """The same fact, where the program fails in the function that asked for the gradient of nothing."""
    asking = {code for code, _ in _ASKED}
    if any(frame.frame.f_code in asking for frames in live.frames for frame in frames):
        yield from facts(live, generation)


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact, if a gradient was asked for nothing after all weights of a living layer were replaced."""
    if generation != 2 or not _ASKED:
        return
    names, rows = [*_BARE], [*_BARE.values()]
    first, *others = _lines(row.place for row in rows)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    layers = dict.fromkeys(row.made for row in rows)
    yield Observed(
        slug="variable-overwritten",
        message=f"this gradient is asked for no variable at all: plain tensors took the place of "
        f"{', '.join(names[:_SHOWN])}{more}, and `trainable_variables` of those layers is empty now",
        label="a tensor takes the place of the variable here",
        location=first,
        related=(
            *(Marked.at(each, "and here") for each in others),
            *(Marked.at(each, "the gradient of an empty list", "asked") for each in _lines(_ASKED)),
            *(Marked.at(each, "the layer is created here", "made") for each in layers if each is not None),
        ),
        severity="warning",
        fixes=(
            Fix(
                summary="keep the new tensors in a list, `tape.watch` it before they are used, and ask for the "
                "gradient of that list instead of `trainable_variables`"
            ),
            Fix(
                summary="or leave the variables in the layer, and change them: `layer.kernel.assign(...)`",
                caveat="unless a gradient has to flow through the update: an assigned value carries none",
            ),
        ),
    )


def _lines(places: Iterable[tuple[CodeType, int]]) -> list[Location]:
    sources = Sources()
    at = (locations.resolve(*place) for place in dict.fromkeys(places))
    return [reading.exact(each, sources) or each for each in at]
