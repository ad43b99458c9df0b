"""How often each statement of the user's was begun: what tells that a changed program got past where it had failed.

Only runs that are made to be looked at are traced like this. A statement counts once, however many lines it has, on
all threads together; code that AutoGraph generated is not counted, only the statement that called it.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any

from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

Place = tuple[str, int]
"""A file, as its code objects call it, and a line of it: the first of a statement."""
MOST = 1_000_000
"""After so many lines a program that computes in Python is not slowed down any more, and nothing is known."""


class Passes:
    """Counts from `start` on. With `until`, `reached` is called when all of its places were begun as often."""

    def __init__(
        self, user: UserCode, until: Mapping[Place, int] | None = None, reached: Callable[[], None] = lambda: None
    ) -> None:
        self.counts: dict[Place, int] = {}
        self._until = dict(until or {})
        self._files = {file for file, _ in self._until}
        self._reached = reached
        self._user = user
        self._began: dict[Place, float] = {}
        self._firsts: dict[str, dict[int, int]] = {}
        self._lines = 0

    def start(self) -> None:
        """Trace the functions that are called from now on, and those that are being executed. A debugger goes first."""
        if sys.gettrace() is not None:
            return
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            if self._wanted(frame.f_code.co_filename):
                frame.f_trace = _Lines(self, frame.f_code.co_filename).seen
            frame = frame.f_back
        threading.settrace(self._called)
        sys.settrace(self._called)

    def stop(self) -> None:
        """Trace no more; frames that are being executed notice it at their next line."""
        self._lines = MOST
        if sys.gettrace() == self._called:
            sys.settrace(None)
        threading.settrace(None)

    def raised(self, tb: TracebackType | None) -> tuple[Place, int, float] | None:
        """The innermost statement of the user's that an exception came through: how often it was begun until then,
        and how many seconds it had taken. None when it was not counted."""
        found = None
        while tb is not None:
            file = tb.tb_frame.f_code.co_filename
            place = file, self.first(file).get(tb.tb_lineno, tb.tb_lineno)
            if place in self.counts and self._lines < MOST:
                found = place, self.counts[place], time.monotonic() - self._began[place]
            tb = tb.tb_next
        return found

    def first(self, file: str) -> dict[int, int]:
        """`firsts`, read once."""
        if file not in self._firsts:
            self._firsts[file] = firsts(file)
        return self._firsts[file]

    def _wanted(self, file: str) -> bool:
        return file in self._files if self._files else self._user.owns(file)

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        file = frame.f_code.co_filename
        return _Lines(self, file).seen if self._lines < MOST and self._wanted(file) else None

    def begun(self, place: Place) -> None:
        """A statement is about to be executed."""
        self.counts[place] = self.counts.get(place, 0) + 1
        self._began[place] = time.monotonic()
        if place in self._until and all(self.counts.get(each, 0) >= n for each, n in self._until.items()):
            self._until.clear()
            self._reached()

    def over(self) -> bool:
        """Return whether so much was counted that the rest is not."""
        self._lines += 1
        if self._lines == MOST:
            self.stop()
        return self._lines >= MOST


class _Lines:
    """The lines of one call of a function."""

    def __init__(self, passes: Passes, file: str) -> None:
        self._passes, self._file = passes, file
        self._firsts = passes.first(file)
        self._line = self._first = 0

    def seen(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event != "line":
            return self.seen
        if self._passes.over():
            return None
        line = frame.f_lineno
        first = self._firsts.get(line, line)
        # A call over several lines comes back to its first one; so does a loop whose only statement this is.
        if first != self._first or line == first == self._line:
            self._passes.begun((self._file, first))
        self._line, self._first = line, first
        return self.seen


def firsts(file: str) -> dict[int, int]:
    """Line -> the first line of the innermost statement, or head of a block, that stands there."""
    return Sources().first_lines(file)


def interrupt_in(seconds: float) -> None:
    """Interrupt the program, as Ctrl-C does, when this time is over."""
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.daemon = True
    timer.start()
