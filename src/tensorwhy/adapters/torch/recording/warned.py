"""Warnings that a function raises under the mode name the line that they name without it."""

from __future__ import annotations

import os
import sys
import warnings
from types import CodeType, FrameType
from typing import Any

from torch.overrides import handle_torch_function

import tensorwhy

_HANDLE: CodeType = handle_torch_function.__code__
_PACKAGE = os.path.dirname(tensorwhy.__file__) + os.sep
_ADAPTERS, _BELOW = (os.path.join(_PACKAGE, room, "") for room in ("adapters", "integrations"))
"""Frames of ours: in the middle of the program's, and below all of them."""
_INNER = 4
"""So many frames a public function has at most before it hands itself over."""


class Warned:
    """Replaces what raises and shows warnings while one function runs. `hidden` is code that stands around it.

    A function of Python hands itself over to a mode, which calls it again: a `stacklevel` would count those frames.
    What a function of C++ raises names the frame of a `mode` in Python.
    """

    def __init__(self) -> None:
        self.hidden = {_HANDLE}
        self.mode: CodeType | None = None
        self._warn, self._show = warnings.warn, getattr(warnings, "_showwarnmsg", None)
        self._warning, self._showing = self._warned, self._shown

    def begin(self) -> bool:
        """A function is about to run; return what `end` is to be given."""
        if warnings.warn is self._warning:
            return False
        self._warn, warnings.warn = warnings.warn, self._warning
        if self.mode is not None and self._show is not None:
            self._show, warnings._showwarnmsg = warnings._showwarnmsg, self._showing  # type: ignore[attr-defined]
        return True

    def end(self, begun: bool) -> None:
        """It has run."""
        if begun and warnings.warn is self._warning:
            warnings.warn = self._warn
        if begun and self._show is not None and getattr(warnings, "_showwarnmsg", None) is self._showing:
            warnings._showwarnmsg = self._show  # type: ignore[attr-defined]

    def _warned(self, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **more: Any) -> None:
        frame: FrameType | None = sys._getframe(1)
        depth = 2
        for _ in range(1, stacklevel):
            behind = self._behind(frame)
            while frame is not behind and frame is not None:
                frame, depth = frame.f_back, depth + 1
            depth += frame is None
        self._warn(message, category, depth, source, **more)

    def _shown(self, message: Any) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not self.mode:
            frame = frame.f_back
        if frame is not None and (message.filename, message.lineno) == (frame.f_code.co_filename, frame.f_lineno):
            named = self._behind(frame)
            if named is not None:
                message.filename, message.lineno = named.f_code.co_filename, named.f_lineno
        if self._show is not None:
            self._show(message)

    def _behind(self, frame: FrameType | None) -> FrameType | None:
        """The frame that has called another one, as it would without the mode."""
        back = frame.f_back if frame is not None else None
        while back is not None and (back.f_code in self.hidden or back.f_code.co_filename.startswith(_ADAPTERS)):
            if back.f_code is _HANDLE:
                public = getattr(back.f_locals.get("public_api"), "__code__", None)
                for _ in range(_INNER):
                    back = back.f_back if back is not None else None
                    if back is None or back.f_code is public:
                        break
            back = back.f_back if back is not None else None
        return None if back is not None and back.f_code.co_filename.startswith(_BELOW) else back


WARNED = Warned()
