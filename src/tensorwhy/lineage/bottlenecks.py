"""Which uses of a value every way from it to a target passes.

The ways back are a graph without cycles, and the uses that nothing leads past are the ancestors of the value in its
tree of dominators. One pass builds the tree for all values: steps with thousands of operations and sources take no
longer than their length.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Use = tuple[int, int]
"""An operation, by its number, and the position of an input."""

_Place = int | Use
_TARGETS: _Place = -1


class Bottlenecks:
    """`uses` are those of each value that a gradient comes through, in order; `outputs` are those of each operation."""

    def __init__(
        self, outputs: Sequence[Iterable[int]], uses: Mapping[int, Sequence[Use]], targets: Collection[int]
    ) -> None:
        self._uses = uses
        self._targets = frozenset(targets)
        self._next: dict[_Place, _Place] = {}
        self._depth = {_TARGETS: 0}
        for at in range(len(outputs) - 1, -1, -1):
            after = self._meeting(outputs[at])
            if after is not None:
                self._enter(at, after)

    def of(self, value: int) -> Iterator[Use]:
        """The uses that every way from a value to a target passes, the nearest to the value first."""
        place = self._meeting([value])
        while place is not None and place != _TARGETS:
            if isinstance(place, tuple):
                yield place
            place = self._next[place]

    def _enter(self, place: _Place, after: _Place) -> None:
        self._next[place], self._depth[place] = after, self._depth[after] + 1

    def _meeting(self, values: Iterable[int]) -> _Place | None:
        """Return the first place that all ways from these values pass; None where no way leads to a target."""
        found: _Place | None = None
        for value in values:
            if value in self._targets:
                return _TARGETS
            for use in self._uses.get(value, ()):
                if use[0] in self._next:
                    if use not in self._next:
                        self._enter(use, use[0])
                    found = use if found is None else self._common(found, use)
        return found

    def _common(self, one: _Place, other: _Place) -> _Place:
        while one != other:
            if self._depth[one] < self._depth[other]:
                one, other = other, one
            one = self._next[one]
        return one
