"""Data for training and for a test that were cut from one dataset which is shuffled anew for each pass.

`full = data.shuffle(300)`, `full.take(90)` and `full.skip(90)`: each of the two goes through `full` by itself, which
has another order each time, so that the parts are others each time. Read from the datasets themselves when a call is
given them; nothing is iterated.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.keras_common.learning import certain
from tensorwhy.model.facts.data import ReshuffledSplit
from tensorwhy.model.location import Location

_DEPTH = 100
_PAIRS = ({"Skip", "Take"}, {"Shard"})
"""What two parts may be cut off by. Of two that are both taken from the front, one may be meant to hold the other."""


class _Part(NamedTuple):
    """A part of a dataset that is shuffled anew. `cut` is what cut it off, `made` where."""

    shuffled: weakref.ref[Any]
    cut: str
    made: Location | None
    used: Location


_TRAINED: list[_Part] = []


def clear() -> None:
    """Forget what was seen."""
    _TRAINED.clear()


def trains(data: Any, at: Location) -> None:
    """A call trains with this."""
    _TRAINED.extend(part for part in _parts(data, at) if part not in _TRAINED)


def tests(model: Any, data: Any, at: Location) -> None:
    """A call is given this to see how good a model is with data that it was not trained with."""
    for other in _parts(data, at):
        for part in _TRAINED:
            shuffled = other.shuffled()
            place = creations.made(shuffled)
            pair = shuffled is part.shuffled() and {part.cut, other.cut} in _PAIRS
            if pair and place is not None and not certain.known("split", place, at):
                fact = ReshuffledSplit(
                    shuffled=place,
                    cuts=(part.made, other.made),
                    operations=(part.cut.lower(), other.cut.lower()),
                    used=at,
                    trained=part.used,
                )
                certain.keep(fact, model, "split", place, at)


def _parts(dataset: Any, at: Location) -> Iterator[_Part]:
    """Return the parts of datasets that this one is made of: a cut behind a shuffle, and no cache between the two."""
    waiting = [(dataset, None)] if hasattr(dataset, "_inputs") and hasattr(dataset, "element_spec") else []
    for _ in range(_DEPTH):
        if not waiting:
            return
        here, cut = waiting.pop()
        kind = type(here).__name__.strip("_").removesuffix("Dataset")
        if kind in ("Take", "Skip", "Shard"):
            cut = here
        elif kind == "Cache":
            cut = None
        elif kind == "Shuffle" and cut is not None and _anew(here):
            name = type(cut).__name__.strip("_").removesuffix("Dataset")
            yield _Part(weakref.ref(here), name, creations.made(cut), at)
        waiting += ((each, cut) for each in here._inputs())


def _anew(shuffle: Any) -> bool:
    return getattr(shuffle, "_reshuffle_each_iteration", False) is True
