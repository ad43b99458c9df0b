"""Copies of a model that nothing uses, while another model trains the weights of the original.

Who copies a model's weights into a second one, and trains a third one of the same layers, wants the original to stay as
it is. The third one was then to be built from the layers of the copy.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import calls, training
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_Place = tuple[CodeType, int]
_MOST = 64


class _Copy:
    """The weights of `origin` were copied into `target`; `trained` is who trained those of the origin then."""

    def __init__(self, origin: Any, target: Any, place: _Place) -> None:
        self.origin, self.target, self.place = weakref.ref(origin), weakref.ref(target), place
        self.names = str(origin.name), str(target.name)
        self.made = creations.made(origin), creations.made(target)
        self.used = False
        self.generation = packages.generation_of(origin)
        self.by: tuple[str, Location | None, _Place, int] | None = None


_COPIES: list[_Copy] = []


def clear() -> None:
    """Forget what was seen."""
    _COPIES.clear()


def copied(origin: Any, target: Any, place: _Place) -> None:
    """The weights of one model were copied into another one, which has variables of its own."""
    read(target)
    if len(_COPIES) == _MOST:
        return
    row, reference = _Copy(origin, target, place), weakref.ref(target)
    _COPIES.append(row)

    def called(_: Any) -> None:
        read(reference())

    for layer in packages.layers_of(target):
        row.used = row.used or calls.waiting.setdefault(id(layer), called) is not called


def read(model: Any) -> None:
    """A copy is used: it is called, its weights are taken out of it, or others are put in."""
    for each in _COPIES if model is not None else ():
        each.used = each.used or each.target() is model


def trained(model: Any, place: _Place) -> None:
    """A model was trained: does it share weights with an original whose copy nobody used yet?"""
    own: set[int] | None = None
    for row in _COPIES:
        origin, target = row.origin(), row.target()
        if row.used or row.by is not None or origin is None or target is None or model in (origin, target):
            continue
        own = training.handles_of(model, "trainable_variables") if own is None else own
        shared = own & training.handles_of(origin, "trainable_variables")
        if shared and not own & training.handles_of(target, "weights"):
            row.by = str(model.name), creations.made(model), place, len(shared)


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each copy that was not used until the end."""
    sources = Sources()
    yield from (
        _told(row, row.by, sources)
        for row in _COPIES
        if row.by is not None and not row.used and row.generation == generation
    )


def _told(row: _Copy, by: tuple[str, Location | None, _Place, int], sources: Sources) -> Observed:
    name, made, place, count = by
    origin, target = (_named(*each, sources) for each in zip(row.names, row.made))
    model = _named(name, made, sources)
    fit = reading.exact(locations.resolve(*place), sources)
    where = made or fit
    marks = (
        (reading.exact(locations.resolve(*row.place), sources), f"the weights are copied into {target} here", "copied"),
        (fit, f"this trains the weights of {origin}", "trained"),
        (row.made[0], f"{origin} is created here", "made"),
    )
    return Observed(
        slug="cloned-or-rebuilt",
        message=f"training {model} changes {origin}: they share {count} weights, and {target}, to which the weights "
        f"were copied before, is never used",
        label=f"uses the layers of {origin}, not those of {target}",
        location=where,
        related=tuple(Marked.at(at, label, kind) for at, label, kind in marks if at is not None and at != where),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary=f"build {model} from the layers of {target} instead of those of {origin}",
                caveat=f"unless {origin} is meant to be trained too, and the copy is only a backup",
            ),
        ),
    )


def _named(name: str, made: Location | None, sources: Sources) -> str:
    names = sources.names(made) if made is not None else ()
    return f"`{names[0] if len(names) == 1 else name}`"
