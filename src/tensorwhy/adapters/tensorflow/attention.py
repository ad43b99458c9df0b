"""Free until it matters: when enough is known, the hooks on every operation are taken out.

Structural faults show in the first steps. So recording stops once each gradient call site has been seen a few times,
and TensorFlow runs its own functions again. What stays is rare: tapes opened and closed, gradients asked, functions
traced. A tape opened at a new place, a None where there was none, or a new trace brings the hooks back for some steps.
"""

from __future__ import annotations

from collections.abc import Callable

ENOUGH = 3
"""How often a call site must be seen."""
QUIET = 24
"""After this many gradient calls without news, sites that were seen less often do not hold the hooks in place."""
ROOM = 6_000_000
"""So many numbers (48 MB) may be recorded without any gradient call; then nothing more is expected of the program."""


class Attention:
    """Decides, at each gradient call, whether operations are worth recording; `arm` and `disarm` do it.

    With `always` the hooks stay in place.
    """

    def __init__(self, arm: Callable[[], None], disarm: Callable[[], None], always: bool) -> None:
        self.armed = True
        self.steps = 0
        self.steps_recorded = 0
        self.rearmed = 0
        self.open_tapes = 0
        self._arm = arm
        self._disarm = disarm
        self._always = always
        self._seen: dict[int, int] = {}
        self._lost: set[int] = set()
        self._tapes: set[int] = set()
        self._quiet = 0

    def opened(self, site: int) -> None:
        """A tape was opened at this place."""
        if site not in self._tapes:
            self._tapes.add(site)
            self.news()

    def gradient(self, site: int, lost: bool, whole: bool) -> None:
        """A gradient was asked for at a call site; `lost` says that a None was among the answers.

        `whole` says that everything since the opening of its tape was recorded, so that the answer can be explained.
        """
        self.steps += 1
        if not self.armed:
            if site not in self._seen or (lost and site not in self._lost):
                self._seen[site] = 0
                self.news()
            return
        seen = self._seen.get(site, 0)
        self.steps_recorded += whole
        self._seen[site] = seen + 1
        if lost and whole:
            self._lost.add(site)
        self._quiet = 0 if seen == 0 else self._quiet + 1
        if self.open_tapes > 0:
            return  # an outer tape that was not asked yet: its step is not over
        enough = self._quiet >= QUIET or all(count >= ENOUGH for count in self._seen.values())
        if enough and not self._always:
            self._rest()

    def news(self) -> None:
        """Something new is going on: record the next steps."""
        self._quiet = 0
        if not self.armed:
            self.armed = True
            self.rearmed += 1
            self._arm()

    def room(self, recorded: int) -> None:
        """Called now and then with the size of the journal: a program that never asks for a gradient fills it up."""
        if self.armed and not self._always and not self._seen and recorded > ROOM:
            self._rest()

    def _rest(self) -> None:
        self.armed = False
        self._disarm()
