"""Groups that an optimizer had before it got others, and in which the program goes on to set the learning rate."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_LOOKS = 2
"""So often it is looked for groups that are left: this goes over all objects."""


class Left(NamedTuple):
    """The learning rate of a group when the optimizer was seen to have others, and by now."""

    before: float
    now: float


class Groups:
    """Follows which groups an optimizer has. They are known by their ids alone, so that none is kept alive."""

    def __init__(self, optimizer: Any) -> None:
        self.first = 0
        """The id of the first of them."""
        self._known: dict[int, int] = {}
        self._left: dict[int, tuple[int, float]] = {}
        self._looks = _LOOKS
        self._take(optimizer.param_groups)

    def look(self, groups: Any) -> None:
        """A step is about to be made with these groups."""
        if not groups or id(groups[0]) == self.first:
            return
        gone = {number: given for number, given in self._known.items() if all(id(each) != number for each in groups)}
        if gone and self._looks:
            self._looks -= 1
            self._left |= {id(each): (gone[id(each)], _rate(each)) for each in _alive(gone)}
        self._take(groups)

    def _take(self, groups: Any) -> None:
        self.first = id(groups[0]) if groups else 0
        self._known = {id(each): id(each["params"]) for each in groups}

    def changed(self) -> Left | None:
        """A group that is not the optimizer's any more, whose learning rate was changed since then."""
        wanted = {number: given for number, (given, _) in self._left.items() if number not in self._known}
        for each in _alive(wanted) if wanted else ():
            before, now = self._left[id(each)][1], _rate(each)
            if before != now:
                return Left(before, now)
        return None


def _alive(wanted: Mapping[int, int]) -> Iterator[Any]:
    """The groups with these ids, each with the id of its list of parameters: another object may have the id by now."""
    for each in gc.get_objects():
        if id(each) in wanted and type(each) is dict and id(each.get("params")) == wanted[id(each)] and "lr" in each:
            yield each


def _rate(group: Any) -> float:
    return float(group["lr"])
