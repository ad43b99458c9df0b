"""Free until it matters: when enough is known, the hooks on every operation are taken out.

Structural faults show in the first steps. So recording stops once each gradient call site has been seen a few times,
and TensorFlow runs its own functions again. What stays is rare: tapes opened and closed, gradients asked, functions
traced. A new call site, a None where there was none, or a new trace brings the hooks back for the next steps.
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
    """Decides, at each gradient call, whether operations are worth recording. `arm` and `disarm` do it."""

    def __init__(self, arm: Callable[[], None], disarm: Callable[[], None], always: bool) -> None:
        self.armed = True
        self.steps_recorded = 0
        self.steps = 0
        self.rearmed = 0
        self._arm = arm
        self._disarm = disarm
        self._always = always
        self._seen: dict[int, int] = {}
        self._quiet = 0

    def gradient(self, site: int, lost: bool) -> None:
        """A gradient was asked for at a call site; `lost` says that a None was among the answers."""
        self.steps += 1
        self.steps_recorded += self.armed
        if self._always:
            return
        seen = self._seen.get(site, 0)
        if not self.armed and (seen == 0 or (lost and seen > 0)):
            # A None at a site that was healthy so far, or a site never met: look at the next steps.
            if lost and seen < 0:
                return
            self._seen[site] = 0
            self.news()
            return
        if self.armed:
            self._seen[site] = seen + 1
            self._quiet = 0 if seen == 0 else self._quiet + 1
            if self._quiet >= QUIET or all(count >= ENOUGH for count in self._seen.values()):
                self.armed = False
                self._disarm()

    def known(self, site: int) -> bool:
        """Whether a site's Nones have been recorded often enough to be explained."""
        return self._seen.get(site, 0) >= ENOUGH

    def news(self) -> None:
        """Something new is going on: record the next steps."""
        self._quiet = 0
        if not self.armed:
            self.armed = True
            self.rearmed += 1
            self._arm()

    def room(self, recorded: int) -> None:
        """Called now and then with the size of the journal: a program that never asks for a gradient fills it up."""
        if not self._always and self.armed and recorded > ROOM and not self._seen:
            self.armed = False
            self._disarm()
