"""Calls that are only counted: whoever was looked at may be called so often more before somebody looks again."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

_ROOM = 8
"""So many may have a grant at a time; a training alternates between two functions, or three."""


class Grants:
    """`slots`: by turns the id of what may be called, 0 for nothing, and how often more.

    The wrappers count that down, the compiled ones too: see `spent`.
    """

    def __init__(self) -> None:
        self.slots = [0, 0] * _ROOM
        self._given: dict[int, _Grant] = {}

    def __bool__(self) -> bool:
        return bool(self._given)

    def give(self, called: Any, calls: int, counted: Callable[[int], None]) -> None:
        """The next `calls` calls of an object are only counted; `counted` is told how many there were, when that ends.

        An object is known by its id for as long as it lives.
        """
        owner = id(called)
        self.settle(owner)
        if calls <= 0:
            return
        if len(self._given) >= _ROOM:
            self.settle(next(iter(self._given)))
        at = 2 * self.slots[::2].index(0)
        self._given[owner] = _Grant(at, calls, weakref.ref(called, functools.partial(self._gone, owner)), counted)
        self.slots[at : at + 2] = owner, calls

    def settle(self, owner: int) -> None:
        """Tell of the calls that were counted; the next one is looked at."""
        given = self._given.pop(owner, None)
        if given is not None:
            left = self.slots[given.at + 1]
            self.slots[given.at : given.at + 2] = 0, 0
            if left != given.calls:
                given.counted(given.calls - left)

    def settle_all(self) -> None:
        """`settle` whoever has a grant."""
        for owner in tuple(self._given):
            self.settle(owner)

    def _gone(self, owner: int, reference: weakref.ref[Any]) -> None:
        given = self._given.get(owner)
        if given is not None and given.called is reference:  # else another one lies there by now
            self.settle(owner)


class _Grant(NamedTuple):
    at: int
    calls: int
    called: weakref.ref[Any]
    counted: Callable[[int], None]


def spent(slots: list[int], owner: int) -> bool:
    """Take one call of the grant of this object. False when it has none left."""
    if owner not in slots:
        return False
    at = slots.index(owner) + 1
    if slots[at] <= 0:
        return False
    slots[at] -= 1
    return True
