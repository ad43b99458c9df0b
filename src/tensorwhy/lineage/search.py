"""The way from a source to a target that needs the fewest repairs.

To get a gradient back, one path has to be whole. So the smallest set of breaks whose repair reconnects a source is the
cheapest path, where an edge costs one for each new break on it: neighbouring operations that are lost for one and the
same reason (all of them ran before the recorder was opened, say) are one break, because one repair mends them together.

A search goes on from where an earlier one began, and takes over a part of the way that an earlier one has found: the
second question about a long path touches only what is new.
"""

from __future__ import annotations

import heapq
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Protocol

from tensorwhy.lineage.backward import Backward, State
from tensorwhy.lineage.rows import Rows
from tensorwhy.lineage.steps import Repair, Step, losses

_SEARCHES = 16
"""So many searches of one recorder are kept for those that come after them."""

_LONG = 500
"""States that a search looks at before it asks whether it can find anything."""
_KEPT = 200_000
"""So many states, each with what leads back from it and where a search met it, are remembered (some 100 MB)."""

_Distance = tuple[int, int]
"""What the repairs on a way cost, and its length."""


def repairs(steps: list[Step]) -> frozenset[Repair]:
    """Everything that has to be repaired for a gradient to pass this way."""
    return frozenset(repair for step in steps if step.lost for _, repair in losses(step.edge, step.lost))


def search(
    lineage: Remembering,
    recorder: int,
    targets: tuple[int, ...],
    before: int,
    repaired: frozenset[Repair] = frozenset(),
    stops: tuple[int, ...] = (),
) -> Search:
    """Search backwards from the targets of one question, as one recorder saw the rows before `before`.

    Without a recorder (`recorder` 0) the question is about a graph, in which everything counts as recorded. What is
    `repaired` costs nothing. `stops` are tensors behind which the question itself ends the gradient.
    """
    backward = lineage.memory.backward(lineage, recorder, stops)
    with backward.lock:
        known = backward.searches.get((targets, repaired))
        if known is not None and known.before == before:
            return known
        made = Search(backward, targets, before, repaired)
        if known is None:
            if len(backward.searches) >= _SEARCHES:
                del backward.searches[next(iter(backward.searches))]
            backward.searches[targets, repaired] = made
    return made


class Search:
    """One search (see `search`). `before` is where the question stands."""

    def __init__(
        self, backward: Backward[Search], targets: tuple[int, ...], before: int, repaired: frozenset[Repair]
    ) -> None:
        self.backward = backward
        self.before = before
        self._targets = targets
        self._repaired = repaired
        self._best: dict[State, _Distance] = {}
        self._towards_target: dict[State, tuple[State, Step]] = {}
        self._reached: dict[int, State] = {}
        self._heap: list[tuple[int, int, int, State]] = []
        self._youngest = -1
        self._pushed = 0
        self._rest: tuple[Search, _Distance] | None = None
        self._serves = False
        for target in targets:
            self._push(target, (0, 0))

    def __len__(self) -> int:
        return len(self._best)

    def path(self, source: int, leads: Callable[[], bool] = lambda: True) -> list[Step] | None:
        """The cheapest path from a source, in the order of execution; None when its value never got to a target.

        Asking for another source continues the same search. A long one first asks whether any way `leads` there: that
        is found out in a tenth of the time.
        """
        with self.backward.lock:
            if source not in self._reached:
                part = self._part_of_another(source)
                if part is not None:
                    return part
            looked = 0
            while not self._has(source) and self._advance():
                looked += 1
                if looked == _LONG and not leads():
                    return None
            state = self._reached.get(source)
            if self._rest is not None:
                other, there = self._rest[0], self._distance_by_the_rest(source)
                if there is not None and (state is None or there < self._best[state]):
                    return [*other._steps(other._reached[source]), *self._steps(other._targets[0])]
            return None if state is None else list(self._steps(state))

    def _steps(self, state: State, end: State | None = None) -> Iterator[Step]:
        towards = self._towards_target
        while state != end and state in towards:
            state, step = towards[state]
            yield step

    def _push(self, state: State, distance: _Distance) -> bool:
        known = self._best.get(state)
        if known is not None and known <= distance:
            return False
        if self._rest is not None and self._by_the_rest(state, distance):
            return False
        self._best[state] = distance
        self._pushed += 1
        heapq.heappush(self._heap, (*distance, self._pushed, state))
        return True

    def _advance(self) -> bool:
        """Look at the nearest state that was not looked at, here or in the search that does the rest; False: none."""
        if self._rest is not None:
            other, (cost, length) = self._rest
            if other._heap:
                nearest = other._heap[0]
                if not self._heap or (nearest[0] + cost, nearest[1] + length) <= self._heap[0][:2]:
                    other._expand()
                    if not self._agrees(other):
                        self._begin_anew()
                    return True
        if not self._heap:
            return False
        self._expand()
        return True

    def _expand(self) -> None:
        cost, length, _, state = heapq.heappop(self._heap)
        if self._best[state] < (cost, length):
            return
        if self._rest is not None and self._by_the_rest(state, (cost, length)):
            return
        if self._rest is None and self._goes_on_from(state, (cost, length)):
            return
        self._reached.setdefault(state if isinstance(state, int) else state[0], state)
        youngest, ways = self.backward.ways(state, self.before)
        if youngest > self._youngest:
            self._youngest = youngest
        for further, prices, step in ways:
            price = cost
            for each, repair in prices:
                if repair not in self._repaired:
                    price += each
            if self._push(further, (price, length + 1)):
                self._towards_target[further] = (state, step)

    # -- what earlier searches found -----------------------------------------------------------------------------

    def _has(self, source: int) -> bool:
        """Return whether the cheapest way from a source is known, here or in the search that does the rest."""
        if source in self._reached:
            return True
        there = self._distance_by_the_rest(source)
        return there is not None and (not self._heap or there <= self._heap[0][:2])

    def _distance_by_the_rest(self, source: int) -> _Distance | None:
        if self._rest is None or source not in self._rest[0]._reached:
            return None
        other, (cost, length) = self._rest
        there = other._best[other._reached[source]]
        return there[0] + cost, there[1] + length

    def _goes_on_from(self, state: State, distance: _Distance) -> bool:
        """Return whether an earlier search began at this state, so that it is the rest of this one."""
        if self._serves or not isinstance(state, int):
            return False
        other = self.backward.searches.get(((state,), self._repaired))
        if other is None or other is self or other._rest is not None or not self._agrees(other):
            return False
        self._rest, other._serves = (other, distance), True
        return True

    def _by_the_rest(self, state: State, distance: _Distance) -> bool:
        """Return whether the search that does the rest gets to a state at no greater distance."""
        assert self._rest is not None
        other, (cost, length) = self._rest
        known = other._best.get(state)
        return known is not None and (known[0] + cost, known[1] + length) <= distance

    def _agrees(self, other: Search) -> bool:
        """True if another search, for a question at another row, went over nothing that is different from here."""
        return other.before == self.before or other._youngest < min(other.before, self.before)

    def _begin_anew(self) -> None:
        """Without the rest, which met a tensor that was made again in between."""
        self._best, self._towards_target, self._reached, self._heap = {}, {}, {}, []
        self._rest, self._youngest = None, -1
        for target in self._targets:
            self._push(target, (0, 0))

    def _part_of_another(self, source: int) -> list[Step] | None:
        """The way from a source to the one target here, when it is a part of what another search has found.

        A part of a cheapest way is a cheapest way.
        """
        if len(self._targets) != 1:
            return None
        target = self._targets[0]
        for (_, repaired), other in self.backward.searches.items():
            if other is self or repaired != self._repaired or other._rest is not None or not self._agrees(other):
                continue
            state = other._reached.get(source)
            if state is not None and target in other._best:
                steps = list(other._steps(state, target))
                if steps and steps[-1].made == target:
                    return steps
        return None


class Memory:
    """What the questions about one lineage leave for the next ones, by recorder; the oldest is forgotten first.

    `whole` are rows of operations of which is known what they do with each of their inputs.
    """

    def __init__(self) -> None:
        self.whole: set[int] = set()
        self._kept: OrderedDict[tuple[int, tuple[int, ...]], Backward[Search]] = OrderedDict()
        self._lock = threading.Lock()

    def backward(self, lineage: Rows, recorder: int, stops: tuple[int, ...]) -> Backward[Search]:
        """The steps back as this recorder saw them."""
        key = recorder, stops
        with self._lock:
            while sum(map(len, self._kept.values())) > _KEPT:
                self._kept.popitem(last=False)
                self.whole.clear()
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = Backward(lineage, recorder, stops)
            self._kept.move_to_end(key)
        return found


class Remembering(Rows, Protocol):
    """A lineage with what earlier searches of it found."""

    memory: Memory
