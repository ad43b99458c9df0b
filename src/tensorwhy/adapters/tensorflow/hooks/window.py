"""Keeps the journal from growing with the length of a training: old steps are taken out of it.

A step is what happens from the opening of an outermost tape to the next; where no tape is opened in eager code, it is
a call of a traced function. What a question was asked about stays, with the step before it, in which may be what ran in
front of its tape. So does a step that traced a function, as later calls refer to it, and what ran before the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tensorwhy.recording.journal import Journal


class Window:
    """Keeps the last `keep` steps. `dropped` counts the others; `dropping` is told of their rows, before they go.

    Rows that a trace has still to write stay.
    """

    def __init__(self, journal: Journal, keep: int, dropping: Callable[[int, int], None]) -> None:
        self.dropped = 0
        self._journal = journal
        self._keep = keep
        self._dropping = dropping
        self._slack = max(8, keep // 4)
        self._begun: deque[int] = deque()
        self._sizes: deque[int] = deque()
        self._steps = 0
        self._tapes = False
        self._needed: list[tuple[int, int]] = []
        self._traced = False

    def began(self, row: int) -> None:
        """A step begins at this row: a tape is opened."""
        self._tapes = True
        self._begin(row, 1)

    def called(self, times: int) -> None:
        """A traced function was called so many times since this was told last; now no tape is open."""
        if not self._tapes:
            self._begin(self._journal.position, times)
        self._tapes = False

    def _begin(self, row: int, steps: int) -> None:
        if self._traced and self._begun:
            self._needed.append((self._begun[-1], row))
        self._traced = False
        self._begun.append(row)
        self._sizes.append(steps)
        self._steps += steps
        if self._steps > self._keep + self._slack:
            self._trim()

    def traced(self) -> None:
        """Something is traced in this step."""
        self._traced = True

    def need(self, start: int, end: int) -> None:
        """The steps that these rows belong to stay, and the one before."""
        before = next((row for row in reversed(self._begun) if row < start), start)
        self._needed.append((before, end))

    def _trim(self) -> None:
        out: list[tuple[int, int]] = []
        while len(self._begun) > 1 and self._steps - self._sizes[0] >= self._keep:
            if self._begun[1] > self._journal.unread:
                break
            start, end = self._begun.popleft(), self._begun[0]
            steps = self._sizes.popleft()
            self._steps -= steps
            if any(first < end and last >= start for first, last in self._needed):
                continue
            self.dropped += steps
            if out and out[-1][1] == start:
                out[-1] = (out[-1][0], end)
            else:
                out.append((start, end))
        if self._begun:
            self._needed = [(first, last) for first, last in self._needed if last >= self._begun[0]]
        for start, end in out:
            self._dropping(start, end)
            self._journal.forget(start, end)
