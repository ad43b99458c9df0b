"""Reads the variables of a function that is still running, and leaves nothing behind in its frame.

Before Python 3.13 `frame.f_locals` of a function is a dict that the frame keeps: whatever it holds then stays alive
until the function ends, although the program deleted it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

_UNSHARED = 3
"""References to that dict when nobody else has it: the frame's, ours, and the argument of `getrefcount`. A program that
called `locals()` has the same dict."""


def locals_of(frame: FrameType) -> Mapping[str, Any]:
    """The local variables by name. Of a module or a class body, its namespace."""
    found = frame.f_locals
    if sys.version_info >= (3, 13) or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return found
    values = dict(found)
    traced = sys.gettrace() is not None or sys.getprofile() is not None  # then the dict is written back to the frame
    if not traced and sys.getrefcount(found) <= _UNSHARED:
        found.clear()
    return values


def nearest(frame: FrameType | None, files: dict[str, bool]) -> FrameType | None:
    """The nearest frame at or above `frame` whose file is the user's. The compiled part has the same function."""
    while frame is not None and not files[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame
