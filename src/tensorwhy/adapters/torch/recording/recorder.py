"""Writes what a program does with tensors into a journal, by a function mode that sees each public function.

The mode is on for the first steps of each optimizer and then taken off: what stays are a few rare hooks. A hook that
fails takes all of them out with one line. No tensor is kept alive.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch

from tensorwhy.adapters.patches import Patches
from tensorwhy.adapters.torch.recording.mode import Mode
from tensorwhy.adapters.torch.recording.rows import Rows
from tensorwhy.adapters.torch.recording.short import Short
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode

_PUSH, _POP = torch._C._push_on_torch_function_stack, torch._C._pop_torch_function_stack
_DEPTH, _AT = torch._C._len_torch_function_stack, torch._C._get_function_stack_at
ROOM = 1_000_000
"""So many numbers of the journal are written, about 200,000 operations, unless all is asked for."""


class Recorder(Rows):
    """Decides when rows are written, and puts the hooks in and out."""

    def __init__(self, journal: j.Journal, user: UserCode) -> None:
        super().__init__(journal, user)
        self.active = True
        self.dozing = False
        """Recording rests, and gradients are not followed in these steps, either."""
        self.stirred = 0
        """So often something happened that the next step of each optimizer is to look at."""
        self.compiles = False
        """The program compiles functions, which would see a mode that is on."""
        self.gap: int | None = None
        self.failure: str | None = None
        self.patches = Patches()
        self.unseen: dict[str, None] = {}
        self.thread = threading.get_ident()
        self.short = Short(self, ROOM)
        self._mode = Mode(self)
        self._at_stop: list[Callable[[], Any]] = []

    # -- hooks in and out ----------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """Take all hooks out, say so once, and never disturb the program."""
        if self.failure is None:
            self.failure = f"{type(error).__name__}: {error}"
            self.stop()
            print(f"tensorwhy: recording stopped, a hook failed ({self.failure})", file=sys.stderr)

    def at_stop(self, undo: Callable[[], Any]) -> None:
        """Also call this when recording stops."""
        self._at_stop.append(undo)

    def stop(self) -> None:
        """Give PyTorch its own functions back."""
        self.active = self.dozing = False
        self.short.end()
        self.writing = False
        self.rest()
        self.patches.restore()
        for undo in self._at_stop:
            undo()
        self._at_stop.clear()

    def enough(self, size: int) -> None:
        """Write no more rows: the journal is full."""
        if self.gap is None:
            self.gap = self.journal.position
        self.writing = False

    def arm(self) -> None:
        """Put the mode on, unless it is."""
        if not self.armed and self.active and self.writing:
            self.armed, self.dozing = True, False
            _PUSH(self._mode)

    def rest(self) -> None:
        """Take the mode off: what runs from now on leaves no rows."""
        if self.armed:
            if self.gap is None:
                self.gap = self.journal.position
            if self.on_top():
                self.armed = False
                self.calls.clear()
                _POP()

    def is_whole(self) -> bool:
        """Return whether all that runs now is written."""
        return self.armed and self.writing

    def on_top(self) -> bool:
        """Whether a function that is called here would be seen."""
        depth = _DEPTH() if self.armed else 0
        return bool(depth) and _AT(depth - 1) is self._mode

    def mine(self) -> bool:
        """Whether this is the thread that is recorded."""
        if threading.get_ident() == self.thread:
            return True
        self.unseen["what other threads compute"] = None
        return False

    def hide(self) -> bool | None:
        """See nothing until `show` is called with what this returns."""
        if not self.mine():
            return None
        if not self.on_top():
            self.silent += 1
            return False
        _POP()
        return True

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """See nothing of what happens inside."""
        on = self.hide()
        try:
            yield
        finally:
            self.show(on)

    def show(self, taken_off: bool | None) -> None:
        """See again what is called."""
        if taken_off is False:
            self.silent -= 1
        elif taken_off and self.armed:
            _PUSH(self._mode)
