"""Where is the program now? The place of the nearest user frame, as one integer.

The walk over the stack is the dearest part of recording. It looks at each frame once, and keeps nothing but a key; the
stack is read again, as code and instructions, only where the key is new.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.locations import UserCode, of_frame
from tensorwhy.source.files import Sources

_AUTOGRAPH = "__autograph_generated_file"
_AUTOGRAPH_RUNTIME = "/autograph/"


class UserFiles(dict[str, bool]):
    """File name of a code object -> whether places in it are the user's. Filled as files are met."""

    def __init__(self, user: UserCode) -> None:
        super().__init__()
        self._user = user

    def __missing__(self, file: str) -> bool:
        # Generated code counts as the user's until its source map says that a library function was converted.
        owned = self[file] = _AUTOGRAPH in file or self._user.owns(file)
        return owned


class Places:
    """The places of one journal. `within`: thread -> the place where everything counts as done, for now."""

    def __init__(self, journal: Journal, user: UserCode) -> None:
        self.files = UserFiles(user)
        self.within: dict[int, int] = {}
        self._journal = journal

    def key(self, frame: FrameType | None) -> tuple[int, FrameType | None]:
        """What tells this stack from others, and its nearest user frame; (0, None) when there is none.

        All user frames are in the key, not the innermost alone: a layer that is called from two lines stands at the
        same instruction both times, with only the framework's frames in between.
        """
        files = self.files
        innermost = None
        key = 0
        while frame is not None:
            code = frame.f_code
            if files[code.co_filename]:
                if innermost is None:
                    innermost = frame
                key = hash((key, id(code), frame.f_lasti))
                if code.co_name == "<module>":
                    break
            frame = frame.f_back
        return key, innermost

    def place(self, frame: FrameType | None) -> int:
        """The place of the nearest user frame at or above `frame`; -1 when there is none."""
        key, innermost = self.key(frame)
        if innermost is None:
            return -1
        place = self._journal.place_index.get(key)
        return self.new(key, innermost) if place is None else place

    def new(self, key: int, frame: FrameType | None) -> int:
        """Walk the whole stack once, for a place that was not met before."""
        chain: list[tuple[CodeType, int, bool]] = []
        between = False
        while frame is not None:
            code = frame.f_code
            if self.files[code.co_filename]:
                if chain:
                    inner = chain[-1]
                    chain[-1] = (inner[0], inner[1], not between)
                chain.append((code, frame.f_lasti, True))
                between = False
                if code.co_name == "<module>":
                    break  # below are the frames that started the program, or imported this module
            elif _AUTOGRAPH_RUNTIME not in code.co_filename:
                between = True
            frame = frame.f_back
        return self._journal.place(key, tuple(chain))

    def leave(self, thread: int, before: int | None) -> None:
        """End what was begun by setting `within`: back to the place that counted before, if any."""
        if before is None:
            self.within.pop(thread, None)
        else:
            self.within[thread] = before

    def assigned(self, value: Any) -> Location | None:
        """Where the outermost user function on the stack that holds this very object, or a list of it, named it.

        Reads the locals of live frames, so it is only for questions that have already failed.
        """
        frame: FrameType | None = sys._getframe(1)
        found = None
        while frame is not None:
            if self.files[frame.f_code.co_filename]:
                names = {name for name, held in locals_of(frame).items() if _holds(held, value)}
                found = Sources().assignment(of_frame(frame), names) or found
            frame = frame.f_back
        return found


def _holds(held: Any, value: Any) -> bool:
    return held is value or (type(held) in (list, tuple) and any(each is value for each in held))
