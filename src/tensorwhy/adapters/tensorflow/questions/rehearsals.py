"""A run that is made only to be looked at: seeded, and interrupted as soon as its questions were answered."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np

from tensorwhy.adapters.protocol import Rehearsal
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.passes import interrupt_in

MORE = 2
"""So many answers are waited for beyond the one that lost something: what a step rebinds is lost in the next."""
PATIENCE, TRACED = 6.0, 10.0
"""Seconds for what comes after the last answer that counts. A trace answers for all runs of a function, and those
that it is made for come later."""


class Answers:
    """Counts the answers by place, and keeps the first value of each target."""

    def __init__(self, rehearsal: Rehearsal, journal: Journal, zeros: list[Any]) -> None:
        import tensorflow as tf

        random.seed(0)
        np.random.seed(0)
        tf.random.set_seed(0)
        self._eager = tf.executing_eagerly
        self._rehearsal = rehearsal
        self._journal = journal
        self._zeros, self._known = zeros, 0
        self._signatures: set[tuple[str, tuple[bool, ...]]] = set()
        self._traced: set[str] = set()
        self._waiting = False

    def answered(self, site: int, target: Any, result: Any) -> None:
        """A gradient was asked for, and given."""
        seen, place = self._rehearsal, self._place(site)
        if place is None:
            return
        seen.answers[place] = seen.answers.get(place, 0) + 1
        value = _sum(target) if seen.answers[place] == 1 else None
        if value is not None:
            seen.values[place] = value
        signature = place, tuple(each is None for each in result)
        if any(signature[1]) and signature not in self._signatures:
            self._signatures.add(signature)
            seen.lost[place] = seen.answers[place]
        for zero in self._zeros[self._known :]:
            self._known += 1
            known = self._place(zero.question.place)
            if known is not None:
                seen.zero[known] = max(seen.zero.get(known, 0), seen.answers.get(known, 0))
        if self._eager():
            self._stepped(place, seen.answers[place])
        elif place in seen.until:
            self._traced.add(place)
        if not seen.until or threading.current_thread() is not threading.main_thread():
            return
        left = [
            enough + (0 if each in self._traced else MORE) - seen.answers.get(each, 0)
            for each, enough in seen.until.items()
        ]
        if max(left) < 0 and not self._traced:
            signal.raise_signal(signal.SIGINT)  # at the question after the last one that counts
        elif max(left) <= 0:
            self._end_in(TRACED if self._traced else PATIENCE)

    def ran(self, sites: Iterable[int], steps: int) -> None:
        """A traced function that asks for gradients at these places has been run so many times."""
        for site in sites:
            place = self._place(site)
            if place is not None:
                self._stepped(place, steps)

    def _stepped(self, place: str, steps: int) -> None:
        seen = self._rehearsal
        seen.steps[place] = max(seen.steps.get(place, 0), steps)
        if place in seen.train and all(seen.steps.get(each, 0) >= enough for each, enough in seen.train.items()):
            self._end_in(PATIENCE)

    def _end_in(self, seconds: float) -> None:
        if not self._waiting:
            self._waiting = True
            interrupt_in(seconds)

    def _place(self, site: int) -> str | None:
        location = self._journal.location(site)
        return None if location is None else f"{location.file}:{location.line}"


def _sum(target: Any) -> float | None:
    """What the elements of a target add up to; None while it has no value."""
    if isinstance(target, (list, tuple)):
        sums = [_sum(each) for each in target]
        return None if any(each is None for each in sums) else float(sum(each for each in sums if each is not None))
    read = getattr(target, "_numpy_internal", None)  # `numpy()` would be seen as the program's own
    if read is None:
        return None
    found = np.asarray(read())
    return float(np.sum(found, dtype=np.float64)) if found.dtype.kind in "fiu" else None
