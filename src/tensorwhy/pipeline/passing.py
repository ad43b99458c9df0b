"""Tells a rehearsal how far the program came, statement by statement, and ends it when that is far enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensorwhy.recording.passes import Passes, Place, firsts, interrupt_in

if TYPE_CHECKING:
    from types import TracebackType

    from tensorwhy.adapters.protocol import Rehearsal
    from tensorwhy.recording.locations import UserCode


def first(place: str) -> Place:
    """Where the statement begins that stands at a place (`file:line`)."""
    file, _, line = place.rpartition(":")
    return file, firsts(file).get(int(line), int(line))


_AFTER = 8.0
"""Seconds for what comes after the statement that had failed: what fails next is to be seen, too."""


class Passing:
    """Counts nothing where it is not known what to wait for, and the run is not the one that is compared with."""

    def __init__(self, rehearsal: Rehearsal, user: UserCode) -> None:
        self._rehearsal = rehearsal
        self._places = {place: first(place) for place in rehearsal.begin}
        until = {where: rehearsal.begin[place] for place, where in self._places.items()}
        self._passes = Passes(user, until, self._reached)
        self._wanted = bool(until) or not (rehearsal.until or rehearsal.train)

    def start(self) -> None:
        if self._wanted:
            self._passes.start()

    def failed(self, tb: TracebackType | None) -> None:
        """The program failed with this traceback."""
        found = self._passes.raised(tb)
        if found is not None and not self._rehearsal.begin:
            (file, line), times, took = found
            self._rehearsal.begun[f"{file}:{line}"] = times
            self._rehearsal.took = max(self._rehearsal.took, took)

    def stop(self) -> None:
        self._passes.stop()
        for place, where in self._places.items():
            self._rehearsal.begun[place] = self._passes.counts.get(where, 0)

    def _reached(self) -> None:
        interrupt_in(_AFTER + self._rehearsal.patience)
