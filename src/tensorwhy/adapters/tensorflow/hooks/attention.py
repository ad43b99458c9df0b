"""Free until it matters: when enough is known, the hooks on every operation are taken out.

Structural faults show in the first steps. So recording stops once each gradient call site has been seen a few times,
and TensorFlow runs its own functions again. What stays is rare: tapes opened, gradients asked, functions traced. A tape
opened at a new place, a None where there was none, a run of zeros or a new trace brings the hooks back for some steps.
A program that does something new all the time would be recorded all the time, so that is bounded, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable

ENOUGH = 3
"""How often a call site must be seen."""
QUIET = 24
"""After this many gradient calls without news, sites that were seen less often do not hold the hooks in place."""
ROOM = 6_000_000
"""So many numbers (48 MB) may be recorded without any gradient call; then nothing more is expected of the program."""
FREE = 32
"""So many times recording begins anew whatever it costs."""
SHARE = 0.05
"""After that, it begins anew only while it was on for less than this share of the time."""
NONES = 32
"""A None at a call site that had none is worth recording so many times more."""
_RANGES = 100


class Attention:
    """Decides, at each gradient call, whether operations are worth recording; `arm` and `disarm` do it.

    With `always` the hooks stay in place. `recorded` are the gradient calls that were recorded, as first and last
    number of each run of them, counted from 1; `refused` is how often something new was not recorded to save time.
    `sites` counts for each call site the calls that were recorded whole, and those of them that held a None.
    """

    def __init__(
        self,
        arm: Callable[[], None],
        disarm: Callable[[], None],
        always: bool,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.armed = True
        self.always = always
        self.steps = 0
        self.steps_recorded = 0
        self.recorded: list[tuple[int, int]] = []
        self.sites: dict[int, tuple[int, int]] = {}
        self.rearmed = 0
        self.refused = 0
        self.open_tapes = 0
        self._arm = arm
        self._disarm = disarm
        self._clock = clock
        self._began = self._armed_since = clock()
        self._armed_for = 0.0
        self._nones = 0
        self._seen: dict[int, int] = {}
        self._lost: set[int] = set()
        self._tapes: set[int] = set()
        self._quiet = 0

    def opened(self, site: int) -> None:
        """A tape was opened at this place."""
        if site not in self._tapes:
            self._tapes.add(site)
            self.refused += not self.news()

    def gradient(self, site: int, lost: bool, whole: bool, again: bool = False) -> None:
        """A gradient was asked for at a call site; `lost` says that a None was among the answers.

        `whole` says that everything since the opening of its tape was recorded, so that the answer can be explained.
        `again`: it counts as one with the call before, because one call of a function was traced twice.
        """
        self.steps += not again
        if not self.armed:
            none = lost and site not in self._lost
            if none or site not in self._seen:
                self._seen[site] = 0
                self.refused += not self.news(urgent=none)
            return
        seen = self._seen.get(site, 0)
        if whole and not again:
            self._count(site, lost)
        self._seen[site] = seen + 1
        if lost and whole:
            self._lost.add(site)
        self._quiet = 0 if seen == 0 else self._quiet + 1
        if self.open_tapes > 0:
            return  # an outer tape that was not asked yet: its step is not over
        enough = self._quiet >= QUIET or all(count >= ENOUGH for count in self._seen.values())
        if enough and not self.always:
            self._rest()

    def ran(self, site: int, lost: bool, whole: bool, times: int = 1) -> None:
        """A traced function ran again, and in it a gradient call that was recorded `whole` when it was traced."""
        self.steps += times
        if whole:
            self._count(site, lost, times)

    def _count(self, site: int, lost: bool, times: int = 1) -> None:
        self.steps_recorded += times
        whole, nones = self.sites.get(site, (0, 0))
        self.sites[site] = whole + times, nones + times * lost
        before = self.steps - times
        if self.recorded and self.recorded[-1][1] == before:
            self.recorded[-1] = (self.recorded[-1][0], self.steps)
        elif len(self.recorded) < _RANGES:
            self.recorded.append((before + 1, self.steps))

    def news(self, urgent: bool = False) -> bool:
        """Something new is going on: record the next steps. False when that would cost too much time."""
        if self.armed:
            self._quiet = 0
            return True
        if self.rearmed >= FREE:
            now = self._clock()
            if self._armed_for > SHARE * (now - self._began):
                if not urgent or self._nones >= NONES:
                    return False
                self._nones += 1
        self._quiet = 0
        self.armed = True
        self.rearmed += 1
        self._armed_since = self._clock()
        self._arm()
        return True

    def room(self, recorded: int) -> None:
        """Called now and then with the size of the journal: a program that never asks for a gradient fills it up."""
        if self.armed and not self.always and not self._seen and recorded > ROOM:
            self._rest()

    def _rest(self) -> None:
        self.armed = False
        self._armed_for += self._clock() - self._armed_since
        self._disarm()

    def in_words(self) -> str:
        """What was not recorded; empty when that was foreseen (the first steps were enough) or nothing."""
        missed = self.steps - self.steps_recorded
        if not missed or not (self.rearmed or self.refused):
            return ""
        runs = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in self.recorded[:6])
        more = ", ..." if len(self.recorded) > 6 else ""
        text = (
            f"{missed} of {self.steps} gradient calls were not recorded, because their call sites were already known "
            f"(recorded: {runs or 'none'}{more}; `--record full` records all)"
        )
        if self.refused:
            text += f"; {self.refused} new call sites came after recording had used its share of the time"
        return text
