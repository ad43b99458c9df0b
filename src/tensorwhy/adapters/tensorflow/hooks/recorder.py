"""One recording: what the hooks share, and when they are in place.

Hooks of two kinds: those on every operation, which `arm` and `disarm` put in and take out, and those on what is rare.
What a hook does after TensorFlow's own call is in a bulkhead: if it fails, recording switches itself off with one line,
and the program goes on.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from tensorflow.python.framework import ops

from tensorwhy.adapters.patches import Patches
from tensorwhy.adapters.places import Places
from tensorwhy.adapters.tensorflow.hooks.kept import Keeper
from tensorwhy.adapters.tensorflow.tensor_ids import TensorIds, handle_of
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode

_SPANS = 64
"""So many times in which calls left no rows are told apart."""


class Recorder:
    """What hooks write through; `InstalledRecorder` puts them in. Writes into one journal.

    `active` is read by every wrapper, so a stopped recorder costs one attribute.

    The compiled part reads that at its place in the object.
    """

    __slots__ = ("__dict__", "__weakref__", "active")

    def __init__(self, journal: j.Journal, user: UserCode) -> None:
        self.journal = journal
        self.active = True
        self.failure: str | None = None
        self.unseen: dict[str, None] = {}
        self.patches = Patches()
        self.per_operation = Patches()
        self.user = user
        self.places = Places(journal, user)
        self.place, self.files = self.places.place, self.places.files
        self.ids = TensorIds()
        self.input_id, self.inputs_of, self.outputs_of = self.ids.of_input, self.ids.of_inputs, self.ids.of_outputs
        self.handle_of = handle_of
        self.kept = Keeper(ops.EagerTensor)
        self.also_armed: list[Callable[[], None]] = []
        self.armed = False
        self.armed_at = 0
        self.gap: int | None = None
        self.unwritten: set[int] = set()
        self.left_out: list[tuple[int, int]] = []
        self.silent = 0
        self.on_trace: Callable[[], None] = lambda: None
        self.on_function: Callable[[str, FrameType | None], None] = lambda name, frame: None
        self._at_stop: list[Callable[[], None]] = []

    def on_variable(self, variable: Any) -> None:
        """A variable was met."""
        self.ids.on_variable(variable)

    # -- the bulkhead --------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """The bulkhead of every hook: take all hooks out, say so once, and never disturb the program."""
        if self.failure is None:
            self.failure = f"{type(error).__name__}: {error}"
            self.stop()
            print(f"tensorwhy: recording stopped, because a hook failed ({self.failure})", file=sys.stderr)

    def stop(self) -> None:
        """Stop recording and give TensorFlow its own functions back."""
        self.active = self.armed = False
        self.per_operation.restore()
        self.patches.restore()
        for undo in self._at_stop:
            undo()
        self._at_stop.clear()

    def arm(self) -> None:
        """Replace everything that is called for each operation, unless it is. Undone by `disarm`."""
        raise NotImplementedError

    def around(
        self, kind: str, original: Callable[..., Any], after: Callable[..., None], headers: Any, header: int = 0
    ) -> Callable[..., Any] | None:
        """The compiled wrapper of what is called often (see `FastPath.around`); None when it was not built."""
        raise NotImplementedError

    def at_stop(self, undo: Callable[[], None]) -> None:
        """Also call this when recording stops."""
        self._at_stop.append(undo)

    # -- taking hooks out, and leaving calls out -----------------------------------------------------------------

    def rest(self) -> None:
        """`disarm` while the program goes on: what runs from now on may leave no row. `gap` is where that began."""
        if self.gap is None:
            self.gap = self.journal.position
        self.disarm()

    def leave_out(self, function: int) -> None:
        """Calls of this traced function, by its id, leave no rows while they are only counted.

        `left_out` has the ids of tensors between which that was so, the last ones without end while it is.
        """
        if not self.unwritten:
            # The ids of tensors and this number are counted together. Of many such times the last ones become one.
            first = self.left_out.pop()[0] if len(self.left_out) >= _SPANS else ops.uid()
            self.left_out.append((first, sys.maxsize))
        self.unwritten.add(function)

    def write(self, function: int) -> None:
        """Calls of this function leave rows again."""
        if function in self.unwritten:
            self.unwritten.discard(function)
            self._all_written()

    def write_all(self) -> None:
        """All calls leave rows again, also one that runs now."""
        if self.unwritten:
            self.unwritten.clear()
            self._all_written()

    def _all_written(self) -> None:
        if not self.unwritten:
            self.left_out[-1] = (self.left_out[-1][0], ops.uid())

    def is_silent(self) -> bool:
        """Return whether this thread is in a call that leaves no rows."""
        return self.silent != 0 and self.silent == threading.get_ident() and bool(self.unwritten)

    def disarm(self) -> None:
        """Let TensorFlow run its own functions for each operation again."""
        self.armed = False
        self.per_operation.restore()
