"""Calls that are only counted: whoever was looked at may be called so often more before somebody looks again."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

_ROOM = 8
"""So many may have a budget at a time; a training alternates between two functions, or three."""


class CallBudgets:
    """`slots`: by turns the id of what may be called, 0 for nothing, and how often more.

    The wrappers count that down, the compiled ones too: see `spent`.
    """

    def __init__(self) -> None:
        self.slots = [0, 0] * _ROOM
        self._known: dict[int, _Budget] = {}
        self._any = False

    def __bool__(self) -> bool:
        """Return whether somebody may have calls left."""
        return self._any

    def give(self, called: Any, calls: int, counted: Callable[[int], None]) -> None:
        """The next `calls` calls of an object are only counted; `counted` is told how many there were, when that ends.

        An object is known by its id for as long as it lives.
        """
        owner = id(called)
        self.settle(owner)
        if calls <= 0:
            return
        budget = self._known.get(owner)
        if budget is None:
            if len(self._known) >= _ROOM:
                self._forget(next(iter(self._known)))
            if 0 not in self.slots[::2]:
                return  # another thread was faster
            at = 2 * self.slots[::2].index(0)
            budget = self._known[owner] = _Budget(at, weakref.ref(called, functools.partial(self._gone, owner)))
        budget.calls, budget.counted = calls, counted
        self.slots[budget.at : budget.at + 2] = owner, calls
        self._any = True

    def settle(self, owner: int) -> None:
        """Tell of the calls that were counted; the next one is looked at."""
        budget = self._known.get(owner)
        if budget is not None and self.slots[budget.at] == owner:
            times = budget.calls - self.slots[budget.at + 1]
            budget.calls = self.slots[budget.at + 1] = 0
            if times:
                budget.counted(times)

    def settle_all(self) -> None:
        """`settle` whoever has a budget."""
        for owner in tuple(self._known):
            self.settle(owner)
        self._any = False

    def _forget(self, owner: int) -> None:
        self.settle(owner)
        budget = self._known.pop(owner, None)
        if budget is not None:  # else the object went while its calls were told of
            self.slots[budget.at] = 0

    def _gone(self, owner: int, reference: weakref.ref[Any]) -> None:
        budget = self._known.get(owner)
        if budget is not None and budget.called is reference:  # else another one lies there by now
            self._forget(owner)


class _Budget:
    """How many calls of an object were granted, and who is told of them. `at` is the place of its slots."""

    __slots__ = ("at", "called", "calls", "counted")

    def __init__(self, at: int, called: weakref.ref[Any]) -> None:
        self.at = at
        self.called = called
        self.calls = 0
        self.counted: Callable[[int], None]


def left(slots: list[int], owner: int) -> int:
    """How many calls this object has left of its budget."""
    return slots[slots.index(owner) + 1] if owner in slots else 0


def spent(slots: list[int], owner: int) -> bool:
    """Take one call of the budget of this object. False when it has none left."""
    if left(slots, owner) <= 0:
        return False
    slots[slots.index(owner) + 1] -= 1
    return True
