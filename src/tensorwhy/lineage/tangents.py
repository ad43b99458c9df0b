"""What was seen of forward mode: to which results an operation or a call handed no tangent on.

A tangent is computed from the operation's gradient function, as a whole. Inputs without a tangent count as zeros, so
that one input through which a gradient passes is enough; where the gradient does not depend on the one that it is given
(`Sign`: zeros), there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple


class Tangents(NamedTuple):
    """`held`: results of operations that got no tangent, though one of the inputs had one. `pushed`: of a traced
    function's call, by the row that records it, the outputs that got one, by accumulator. `called`: the tangents that
    such calls gave, which a recorder records only if it watches a tangent that goes in."""

    held: Set[int] = frozenset()
    pushed: Mapping[int, Mapping[int, frozenset[int]]] = {}
    called: Set[int] = frozenset()

    def lost(self, accumulator: int, row: int, made: int) -> bool:
        """Return whether what an accumulator saw going into a row was not handed on to this result."""
        return made in self.held or (row in self.pushed and made not in self.pushed[row].get(accumulator, ()))


NONE_SEEN = Tangents()
