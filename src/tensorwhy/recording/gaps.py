"""Where rows are in an array from which some were taken out.

A row keeps its number for ever, so that everything that refers to it stays right; what was taken out leaves a gap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Gaps:
    """Maps row numbers to offsets in the array. Pieces begin at `_starts`; offset = row number - `_shifts`."""

    def __init__(self) -> None:
        self._starts = [0]
        self._shifts = [0]
        self.shift = 0
        """How many numbers were taken out, in all."""

    def offset(self, row: int) -> int:
        """Where a row is; for one in a gap, where the next one after the gap is."""
        piece = max(bisect_right(self._starts, row) - 1, 0)
        offset = max(row, self._starts[piece]) - self._shifts[piece]
        if piece + 1 < len(self._starts):
            return min(offset, self._starts[piece + 1] - self._shifts[piece + 1])
        return offset

    def pieces(self, offset: int) -> list[tuple[int, int]]:
        """From the piece that holds this offset on: the offset after its end, and what makes offsets row numbers."""
        ends = [start - shift for start, shift in zip(self._starts[1:], self._shifts[1:])]
        first = bisect_right(ends, offset)
        return list(zip([*ends[first:], 1 << 62], self._shifts[first:]))

    def take_out(self, start: int, end: int) -> tuple[int, int]:
        """Rows from `start` up to `end` are taken out. Returns the offsets between which they are."""
        first, last = self.offset(start), self.offset(end)
        left, right = bisect_left(self._starts, start), bisect_right(self._starts, end)
        later = [shift + last - first for shift in self._shifts[right:]]
        self._starts[left:] = [end, *self._starts[right:]]
        self._shifts[left:] = [end - first, *later]
        self.shift = self._shifts[-1]
        return first, last
