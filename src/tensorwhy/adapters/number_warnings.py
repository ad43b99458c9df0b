"""What NumPy warned of on lines of the program: a division by zero, an overflow, an invalid value.

NumPy computes data and targets before any framework sees them, and goes on with infinity or NaN. It warns once for each
line.
"""

from __future__ import annotations

import functools
import re
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from tensorwhy.adapters.patches import Bulkhead, replaced
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode

_TEXT = re.compile(r"(divide by zero|overflow|invalid value) encountered in \w+")
_MOST = 100


class Warned(NamedTuple):
    """One warning: NumPy's words, the line, and when it came."""

    text: str
    location: Location
    time: float


_WARNED: list[Warned] = []


def watch(user: UserCode) -> Callable[[], None]:
    """Note such warnings as they are shown. Returns what takes the hook out."""
    noting = Bulkhead()

    def hooked(original: Any) -> Any:
        @functools.wraps(original)
        def shown(message: Any) -> None:
            noting(_note, message, user)
            original(message)

        return shown

    put_back = replaced(warnings, "_showwarnmsg", hooked)

    def undo() -> None:
        _WARNED.clear()
        put_back()

    return undo


def _note(message: Any, user: UserCode) -> None:
    if message.category is RuntimeWarning and len(_WARNED) < _MOST and user.owns(message.filename):
        text = str(message.message)
        if _TEXT.fullmatch(text):
            location = Location(file=message.filename, line=message.lineno)
            _WARNED.append(Warned(text, location, time.monotonic()))


def before(moment: float) -> Warned | None:
    """Return the first warning that came before a moment."""
    return next((each for each in _WARNED if each.time < moment), None)
