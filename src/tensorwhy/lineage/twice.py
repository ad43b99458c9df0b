"""Whether two tensors were computed in the same way from the same: a value that is compared with itself."""

from __future__ import annotations

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_MOST = 2_000
"""So many pairs of tensors are compared."""


def computed_twice(lineage: Lineage, pair: tuple[int, ...], since: int) -> bool:
    """Return whether two tensors come from the same by the same operations, all of which ran after row `since`.

    What came in from outside, and the attributes of operations, are not compared: that is for those who know that the
    values are equal.
    """
    left, right = pair
    stack, known = [(left, right)], {(left, right)}
    computed = False
    while stack:
        first, second = stack.pop()
        if first == second:
            continue
        makers = _last(lineage, first), _last(lineage, second)
        mine, theirs = makers
        if mine is None or theirs is None or len(known) > _MOST:
            return False
        if not _alike(lineage, mine, theirs):
            return False
        if mine.kind == j.ENTRY:
            continue
        if min(mine.index, theirs.index) < since or mine.outputs.index(first) != theirs.outputs.index(second):
            return False
        computed = True
        pairs = {(tensor_of(a), tensor_of(b)) for a, b in zip(mine.inputs, theirs.inputs)} - known
        known |= pairs
        stack += pairs
    return computed


def _alike(lineage: Lineage, mine: Event, theirs: Event) -> bool:
    if mine.kind == j.ENTRY or theirs.kind == j.ENTRY:
        return mine.kind == theirs.kind
    return lineage.journal.names[mine.name] == lineage.journal.names[theirs.name] and len(mine.inputs) == len(
        theirs.inputs
    )


def _last(lineage: Lineage, tensor: int) -> Event | None:
    """What made a tensor, as a recorder saw it."""
    return next(iter(lineage.makers(tensor)[-1:]), None) if tensor >= 0 else None
