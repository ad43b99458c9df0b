"""A short recording, after the usual one has come to rest: it is given a part of the journal, and ends by itself."""

from __future__ import annotations

from typing import Protocol

from torch.overrides import _get_current_function_mode

from tensorwhy.recording.journal import Journal

_WAKES = 8
"""So many short recordings are begun for what is new in the program."""
NUMBERS = 50_000
"""So much of the journal one of them fills; once graphs are kept again, a few times as much."""
_LENGTHENED = 2
"""So often more of the journal is given to it."""


class Recording(Protocol):
    """What it needs of the recorder."""

    journal: Journal
    active: bool
    armed: bool
    writing: bool

    def arm(self) -> None:
        """Put the mode on, unless it is."""

    def rest(self) -> None:
        """Take the mode off."""


class Short:
    """`on`: what is recorded now belongs to it. `room` is as much of the journal as all recordings together fill."""

    def __init__(self, recorder: Recording, room: int) -> None:
        self._recorder = recorder
        self._room = room
        self._limit = self._lengthened = 0
        self._left = _WAKES
        self.on = False

    def begin(self, numbers: int) -> bool:
        """Record again, until so many numbers of the journal are written; return whether that is possible."""
        recorder, journal = self._recorder, self._recorder.journal
        may = journal.position < self._room and recorder.active and recorder.writing and not recorder.armed
        if not may or _get_current_function_mode() is not None:
            return False
        self.on, self._limit, self._lengthened = True, journal.limit, 0
        journal.limit = journal.position + numbers
        recorder.arm()
        return True

    def wake(self) -> None:
        """Record what comes, as a switch of the program's is new: what was recorded may say nothing of it."""
        if self._left:
            self._left -= self.begin(NUMBERS)

    def lengthen(self, numbers: int, on: bool) -> None:
        """Rest where all of this was written; write so much again, a few times, once graphs are kept (`on`)."""
        recorder, journal = self._recorder, self._recorder.journal
        if recorder.writing:
            return
        recorder.rest()
        if on:
            self._lengthened += 1
            if self._lengthened > _LENGTHENED or journal.position >= self._limit:
                self.end()
                return
            recorder.writing, journal.limit = True, journal.position + numbers
            recorder.arm()

    def end(self) -> None:
        """Rest, and give back what was not written."""
        recorder = self._recorder
        if self.on:
            self.on, recorder.journal.limit = False, self._limit
            recorder.writing = recorder.journal.position < self._limit
            recorder.rest()
