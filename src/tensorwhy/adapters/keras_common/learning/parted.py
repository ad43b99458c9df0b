"""Copies of a model in which a layer that the original uses twice became two layers.

The configuration of each inner model describes the shared layer again: `from_config` and `clone_model` create one for
each. The copy has more weights, and what is one layer in the original is trained as two.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import certain
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

_MOST = 2_000
"""So many layers of a model are compared."""


_SEEN: dict[int, weakref.ref[Any]] = {}


def clear() -> None:
    """Forget what was seen."""
    _SEEN.clear()


def begins(model: Any, at: Location) -> None:
    """A model is about to be trained: is it a copy in which shared layers are not shared?"""
    seen = _SEEN.get(id(model))
    if seen is not None and seen() is model:
        return
    _SEEN[id(model)] = weakref.ref(model)
    copied, flat = creations.made(model), list(_flat(model))
    if copied is None or certain.known("parted", copied) or not 1 < len(flat) < _MOST:
        return
    generation = packages.generation_of(model)
    for other in creations.live(("model",)):
        if other is model or packages.generation_of(other) != generation or creations.made(other) == copied:
            continue
        theirs = list(_flat(other)) if type(other) is type(model) else []
        parted = _parted(theirs, flat, copied)
        if parted:
            certain.keep(_told(parted, other, model, copied, at), model, "parted", copied)
            return


def _flat(model: Any) -> Iterator[Any]:
    """The layers of a model in order, those of inner models included: a shared one as often as it is used."""
    for layer in getattr(model, "layers", None) or ():
        yield layer
        if packages.kind_of(layer) == "model":
            yield from _flat(layer)


def _parted(original: list[Any], copy: list[Any], copied: Location) -> list[Any]:
    """The layers of the original that stand in several places, where the copy has several, made by one call."""
    if len(original) != len(copy) or len(set(map(id, original))) == len(original):
        return []
    pairs = list(zip(original, copy))
    if any(type(one) is not type(other) or (one.weights and one.name != other.name) for one, other in pairs):
        return []  # a clone gives its inputs other names
    stands: dict[int, list[tuple[Any, Any]]] = {}
    for one, other in pairs:
        stands.setdefault(id(one), []).append((one, other))
    found = []
    for places in stands.values():
        twins = {id(other): other for _, other in places}.values()
        by_copy = all(creations.made(each) == copied and each.trainable_weights for each in twins)
        if len(twins) > 1 and by_copy and packages.kind_of(places[0][0]) == "layer":
            found.append(places[0][0])
    return found


def _told(layers: list[Any], original: Any, copy: Any, copied: Location, at: Location) -> Observed:
    """`copied` is the line that made the copy, `at` the one that trains it."""
    names = ", ".join(f"`{each.name}`" for each in layers[:3])
    several = len(layers) > 1
    marks = (
        (creations.made(layers[0]), "shared by the parts of the original", "made"),
        (at, "the copy is trained here", "trained"),
    )
    return Observed(
        slug="cloned-or-rebuilt",
        message=f"{'layers' if several else 'layer'} {names} of the original {'are' if several else 'is'} shared, and "
        f"this copy has a separate one for each use: it has {len(copy.weights)} weights, and the original "
        f"{len(original.weights)}",
        label="the copy is created here",
        location=copied,
        related=tuple(Marked.at(at, label, kind) for at, label, kind in marks if at and at != copied),
        severity="warning",
        notes=(
            "each inner model lists the shared layer in its configuration, and the copy creates it for each of them",
        ),
        fixes=(
            Fix(
                summary="build it again with the code of the original, then `copy.set_weights(original.get_weights())`",
                caveat="unless the copy is meant to train the layers apart",
            ),
        ),
    )
