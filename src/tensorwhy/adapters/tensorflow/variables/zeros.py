"""Notices gradients that are zero for whole variables, step after step, and has one such step kept.

The first calls of each call site are looked at, then ever fewer; a site with a zero is looked at more often. After two
zeros in a row the next step is recorded, and if the zeros are still there, that step becomes a question. A gradient
that turns out otherwise later takes the question back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables.answers import Gradients
from tensorwhy.adapters.tensorflow.variables.arrays import array_of, is_zero
from tensorwhy.adapters.turns import MOST, turn
from tensorwhy.model.question import GradientQuestion

_FIRST = 6
_CLOSELY = 64
_TRIES = 3
_IN_A_ROW = 2
"""So many zeros, one after the other, before a step is looked at."""
FAINT = 1e-5
"""What may be left by rounding."""
_FEW = 64


class Zero(msgspec.Struct, frozen=True, kw_only=True):
    """A gradient that was exactly zero, for whole variables, in each of the last steps that were looked at.

    The sources of `question` got only zeros; `moving` are the tensors of those that got another gradient, `whole` says
    that none of these got zeros in the step that was kept.
    """

    question: GradientQuestion
    moving: tuple[int, ...] = ()
    steps: int = 0
    whole: bool = True


class _Site:
    """What is known of one call site: for each position, how many zeros came in a row.

    `ever` were zero, be it once, and `other` were not; `large` were once more than rounding may leave.
    """

    def __init__(self) -> None:
        self.count = 0
        self.tries = 0
        self.row: dict[int, int] = {}
        self.ever: set[int] = set()
        self.other: set[int] = set()
        self.large: set[int] = set()
        self.looking = False
        self.question: int | None = None

    def due(self, n: int) -> bool:
        """Return whether the look of this number is to be taken."""
        close = bool(self.row) and n <= _CLOSELY
        return n <= _FIRST or close or self.looking or not n & (n - 1) or (n > 2 and not (n - 1) & (n - 2))


class Zeros:
    """`questions` are the zeros of which a step was kept."""

    def __init__(self, recorder: Recorder, wake: Callable[[], object]) -> None:
        self.questions: list[Zero] = []
        self._recorder = recorder
        self._wake = wake
        self._sites: dict[int, _Site] = {}
        self._looking: _Site | None = None
        self._since = 0

    def seen(
        self,
        place: int,
        gradients: Gradients,
        since: int,
        ask: Callable[[tuple[int, ...]], Zero | None],
    ) -> None:
        """A gradient was computed at a call site, by a tape that was opened at row `since`.

        `ask` makes the question about the sources at some positions.
        """
        site = self._sites.get(place)
        if site is None:
            site = self._sites[place] = _Site()
        site.count += 1
        number, share = turn(site.count, len(gradients))
        if not site.due(number):
            return
        looked = {*share} if len(share) == len(gradients) or not site.looking else {*sorted(site.row)[:MOST]}
        zero = [i for i in looked if _is_zero(gradients.array(i))]
        kept = {i: n for i, n in site.row.items() if i not in looked}
        site.row = kept | {i: site.row.get(i, 0) + 1 for i in zero}
        site.ever.update(zero)
        site.other.update(looked.difference(zero))
        site.large.update(
            i for i in looked - site.large if gradients.given[i] is not None and not _is_faint(gradients.array(i))
        )
        if site.looking:
            self._looked(site, looked, since, ask)
        elif site.question is not None:
            self._still(site)
        elif any(n >= _IN_A_ROW for n in site.row.values()) and site.tries < _TRIES and self._looking is None:
            site.looking, self._looking = True, site
            site.tries += 1
            self._wake()
            self._since = self._recorder.journal.position
            self._recorder.kept.want(True)

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
        return {i for i in site.row if i not in site.other} if site is not None else set()

    def ever_other(self, place: int) -> set[int]:
        """The positions at a call site where something else than zeros was seen, be it once."""
        site = self._sites.get(place)
        return site.other if site is not None else set()

    def _looked(self, site: _Site, looked: set[int], since: int, ask: Callable[[tuple[int, ...]], Zero | None]) -> None:
        site.looking, self._looking = False, None
        self._recorder.kept.want(False)
        positions = tuple(i for i, n in site.row.items() if n > _IN_A_ROW and i in looked)
        if positions and since >= self._since:
            found = ask(positions)
            if found is not None:
                site.question = len(self.questions)
                steps = min(site.row[i] for i in positions)
                self.questions.append(msgspec.structs.replace(found, steps=steps))

    def _still(self, site: _Site) -> None:
        """Of a question that was asked, what is still zero."""
        assert site.question is not None
        zero = self.questions[site.question]
        sources = zero.question.sources
        left = tuple(source for source in sources if source.position in site.row)
        moving = (*zero.moving, *(source.tensor for source in sources if source not in left))
        question = msgspec.structs.replace(zero.question, sources=left)
        self.questions[site.question] = Zero(
            question=question, moving=moving, steps=zero.steps + 1, whole=zero.whole and len(left) == len(sources)
        )


def all_zero(gradient: Any) -> bool:
    """Return whether an eager gradient is zero everywhere; False where there is no value to see."""
    return gradient is not None and _is_zero(array_of(values_of(gradient)))


def _is_zero(array: np.ndarray[Any, Any] | None) -> bool:
    return array is not None and array.size > 0 and is_zero(array)


def _is_faint(array: np.ndarray[Any, Any] | None) -> bool:
    """Return whether all of a gradient is so small that rounding may have left it."""
    if array is None or not array.size:
        return False
    flat = array.reshape(-1)
    few = flat[:: max(1, flat.size // _FEW)]
    return bool(np.abs(few).max() <= FAINT and np.abs(flat).max() <= FAINT)
