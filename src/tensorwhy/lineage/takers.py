"""Which rows take a value: read in order for the first questions, and from an index when there are many."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator

from tensorwhy.recording.journal import Event, Journal

_READ = 16
"""After so many questions the index is made: it takes as much memory as the rows themselves."""


class Takers:
    """The rows of a journal, by what they take."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._asked = 0
        self._index: dict[int, list[int]] | None = None

    def ahead(self, values: Iterable[int], start: int, end: int) -> Ahead:
        """Iterate over rows from `start` to before `end`: at least those that take one of the values."""
        self._asked += 1
        if self._index is None and self._asked > _READ:
            self._index = defaultdict(list)
            for event in self._journal.events():
                for value in dict.fromkeys(event.inputs):
                    self._index[value].append(event.index)
        ahead = Ahead(self._journal, self._index, start, end)
        ahead.follow(values)
        return ahead


class Ahead:
    """Rows in order; what takes a value that is followed on the way comes as well."""

    def __init__(self, journal: Journal, index: dict[int, list[int]] | None, start: int, end: int) -> None:
        self._journal, self._index = journal, index
        self._next, self._end = start, end
        self._rows: list[int] = []
        self._followed: set[int] = set()

    def follow(self, values: Iterable[int]) -> None:
        """Give the rows that take these values, from here on."""
        for value in values if self._index is not None else ():
            if value not in self._followed:
                self._followed.add(value)
                rows = self._index.get(value, []) if self._index is not None else []
                for at in rows[bisect_left(rows, self._next) : bisect_left(rows, self._end)]:
                    heapq.heappush(self._rows, at)

    def __iter__(self) -> Iterator[Event]:
        if self._index is None:
            yield from self._journal.events(self._next, self._end)
        while self._rows:
            at = heapq.heappop(self._rows)
            if at >= self._next:
                self._next = at + 1
                yield self._journal.event(at)
