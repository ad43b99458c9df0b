"""Which variables of another copy of a network stand for those that a gradient was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tensorwhy.model.question import Source, Variable


def counterparts(
    sources: Iterable[Source], others: Iterable[Variable], alike: Callable[[Source, Variable], bool]
) -> dict[int, Variable]:
    """For each source, by its tensor, one of the others that could be the same weight.

    Only a whole other copy counts: every source must have a counterpart of its own, else there are none. One pair of
    like variables happens in any two networks.
    """
    free = list(others)
    found: dict[int, Variable] = {}
    for each in sources:
        like = next((other for other in free if alike(each, other)), None)
        if like is None:
            return {}
        free.remove(like)
        found[each.tensor] = like
    return found


def same_kind(source: Source, other: Variable) -> bool:
    """Return whether both are variables of one shape and dtype."""
    return source.variable and (source.shape, source.dtype) == (other.shape, other.dtype)


def bare(name: str) -> str:
    """A variable's name without the numbers that Keras gives."""
    return re.sub(r"_\d+", "", name.removesuffix(":0"))
