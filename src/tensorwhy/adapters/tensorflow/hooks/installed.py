"""The recorder with its hooks on every operation: how they are put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.tensorflow.hooks import fast_path, sessions, traced
from tensorwhy.adapters.tensorflow.hooks.conversions import Conversions
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode


class InstalledRecorder(Recorder):
    """A recorder that replaces TensorFlow's entry points. Hooks know the part of it that they write through."""

    __slots__ = ()

    def __init__(self, journal: j.Journal, user: UserCode) -> None:
        super().__init__(journal, user)
        self.fast_path = fast_path.FastPath(self)
        self.conversions = Conversions(self)
        self.arrays = self.conversions.arrays
        fast_path.install_compiled(self, self.fast_path)

    def around(
        self, kind: str, original: Callable[..., Any], after: Callable[..., None], headers: Any, header: int = 0
    ) -> Callable[..., Any] | None:
        """The compiled wrapper of what is called often (see `FastPath.around`); None when it was not built."""
        return self.fast_path.around(kind, original, after, headers, header)

    def install(self) -> None:
        """Replace the graph's op constructor, and the kernels' entry points."""
        traced.install(self)
        sessions.install(self)
        self.arm()

    def arm(self) -> None:
        """Replace everything that is called for each operation, unless it is. Undone by `disarm`."""
        if self.armed:
            return
        from tensorflow.python import pywrap_tfe

        self.armed = True
        replace = self.per_operation.replace
        replace(pywrap_tfe, "TFE_Py_FastPathExecute", self.fast_path.wrap)
        replace(pywrap_tfe, "TFE_Py_Execute", self.fast_path.wrap_execute)
        replace(pywrap_tfe, "TFE_Py_ExecuteCancelable", self.fast_path.wrap_execute)
        self.conversions.arm(self.per_operation)
        for install in self.also_armed:
            install()
        self.armed_at = self.journal.position
