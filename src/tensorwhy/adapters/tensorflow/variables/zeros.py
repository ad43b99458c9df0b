"""Notices gradients that are zero for whole variables, step after step, and has one such step looked at.

The first calls of each call site are looked at, then ever fewer; a site with a zero is looked at more often. After two
zeros in a row the next step is recorded with a snapshot at its values, and if the zeros are still there, that step
becomes a question. A gradient that turns out otherwise later takes the question back. What is left by rounding counts
only when the step shows that the gradient cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables.value_snapshots import NORMALISING, ValueSnapshots, array_of, is_zero
from tensorwhy.model.question import Source, ValueSnapshot, ZeroQuestion

_FIRST = 6
_CLOSELY = 64
_TRIES = 3
_IN_A_ROW = 2
"""So many zeros, one after the other, before a step is looked at."""
FAINT = 1e-5
"""What may be left by rounding. Most of what is as small is not: it only has a step looked at."""
_FEW = 64


class _Site:
    """What is known of one call site: for each position, how many zeros came in a row, and how many that are near.

    `ever` were zero, be it once; `large` were once more than rounding may leave.
    """

    def __init__(self) -> None:
        self.count = 0
        self.looks = 0
        self.tries = 0
        self.row: dict[int, int] = {}
        self.faint: dict[int, int] = {}
        self.ever: set[int] = set()
        self.large: set[int] = set()
        self.looking = False
        self.question: int | None = None

    def due(self) -> bool:
        """Return whether this call is one of those to look at."""
        n = self.count
        close = bool(self.row or self.faint) and n <= _CLOSELY
        return n <= _FIRST or close or self.looking or not n & (n - 1) or (n > 2 and not (n - 1) & (n - 2))


class Zeros:
    """`questions` are the zeros that were explained by a step, each with what was seen of its values."""

    def __init__(self, recorder: Recorder, wake: Callable[[], object]) -> None:
        self.questions: list[tuple[ZeroQuestion, ValueSnapshot]] = []
        self.snapshots = ValueSnapshots(recorder)
        self._recorder = recorder
        self._wake = wake
        self._sites: dict[int, _Site] = {}
        self._looking: _Site | None = None

    def seen(
        self,
        place: int,
        result: Any,
        since: int,
        ask: Callable[[tuple[int, ...]], ZeroQuestion | None],
    ) -> None:
        """A gradient was computed at a call site, by a tape that was opened at row `since`.

        `ask` makes the question about the sources at some positions.
        """
        site = self._sites.get(place)
        if site is None:
            site = self._sites[place] = _Site()
        site.count += 1
        if not site.due():
            return
        site.looks += 1
        zero = [i for i, gradient in enumerate(result) if all_zero(gradient)]
        site.row = {i: site.row.get(i, 0) + 1 for i in zero}
        site.ever.update(zero)
        site.large.update(i for i, g in enumerate(result) if i not in site.large and g is not None and not _is_faint(g))
        near = zero if not self._normalises() else [i for i, gradient in enumerate(result) if _is_faint(gradient)]
        site.faint = {i: site.faint.get(i, 0) + 1 for i in near}
        if site.looking:
            self._looked(site, since, ask)
        elif site.question is not None:
            self._still(site)
        elif any(n >= _IN_A_ROW for n in site.faint.values()) and site.tries < _TRIES and self._looking is None:
            site.looking, self._looking = True, site
            site.tries += 1
            self._wake()
            self.snapshots.want()
            self._recorder.kept.want(True)

    def _normalises(self) -> bool:
        """Return whether the program has a softmax at all."""
        return any(map(self._recorder.journal.knows, NORMALISING))

    def ever_zero(self, place: int) -> set[int]:
        """The positions at a call site whose gradient was seen to be zero, be it once."""
        site = self._sites.get(place)
        return site.ever if site is not None else set()

    def ever_large(self, place: int) -> set[int]:
        """The positions at a call site whose gradient was once seen to be more than what rounding may leave."""
        site = self._sites.get(place)
        return site.large if site is not None else set()

    def always_zero(self, place: int) -> set[int]:
        """The positions at a call site whose gradient was zero each time that it was looked at."""
        site = self._sites.get(place)
        return {i for i, n in site.row.items() if n == site.looks} if site is not None else set()

    def _looked(self, site: _Site, since: int, ask: Callable[[tuple[int, ...]], ZeroQuestion | None]) -> None:
        started = self.snapshots.since
        snapshot = self.snapshots.done()
        site.looking, self._looking = False, None
        self._recorder.kept.want(False)
        row = site.faint if _leaves_rounding(snapshot) else site.row
        positions = tuple(i for i, n in row.items() if n > _IN_A_ROW)
        if positions and since >= started:
            question = ask(positions)
            if question is not None:
                steps = min(row[i] for i in positions)
                site.question = len(self.questions)
                self.questions.append((msgspec.structs.replace(question, steps=steps), snapshot))

    def _still(self, site: _Site) -> None:
        """Of a question that was asked, what is still zero."""
        assert site.question is not None
        question, snapshot = self.questions[site.question]
        row = site.faint if _leaves_rounding(snapshot) else site.row
        left: tuple[Source, ...] = tuple(s for s in question.sources if s.position in row)
        moving = (*question.moving, *(s.tensor for s in question.sources if s not in left))
        if len(left) < len(question.sources):
            snapshot.equal.clear()  # what was the same in that step is not always so
        steps = question.steps + 1
        self.questions[site.question] = (
            msgspec.structs.replace(question, sources=left, moving=moving, steps=steps),
            snapshot,
        )


def _leaves_rounding(snapshot: ValueSnapshot) -> bool:
    """Return whether terms cancel in a step, so that rounding may stand in for a gradient of zero.

    Some kernels give a softmax of one element as 0.99999994: its gradient is then 1e-8 of the terms it is the sum of.
    """
    return bool(snapshot.constant or snapshot.equal or snapshot.single)


def all_zero(gradient: Any) -> bool:
    """Return whether an eager gradient is zero everywhere; False where there is no value to see."""
    array = array_of(values_of(gradient)) if gradient is not None else None
    return array is not None and array.size > 0 and is_zero(array)


def _is_faint(gradient: Any) -> bool:
    """Return whether all of an eager gradient is so small that rounding may have left it."""
    array = array_of(values_of(gradient)) if gradient is not None else None
    if array is None or not array.size:
        return False
    flat = array.reshape(-1)
    few = flat[:: max(1, flat.size // _FEW)]
    return bool(np.abs(few).max() <= FAINT and np.abs(flat).max() <= FAINT)
