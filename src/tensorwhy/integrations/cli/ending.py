"""Lets a signal that ends a command first end what the command has started, and remove what it has made."""

from __future__ import annotations

import functools
import signal
import threading
from collections.abc import Callable
from typing import Any, TypeVar

_Work = TypeVar("_Work", bound=Callable[..., Any])
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Ended(BaseException):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def in_order(work: _Work) -> _Work:
    """The same function; SIGTERM and SIGHUP unwind it before they end the process. A second one ends it at once."""

    @functools.wraps(work)
    def called(*args: Any, **kwargs: Any) -> Any:
        main = threading.current_thread() is threading.main_thread()
        numbers = [each for each in _ENDING if main and signal.getsignal(each) == signal.SIG_DFL]
        for number in numbers:
            signal.signal(number, _end)
        try:
            return work(*args, **kwargs)
        except _Ended as ended:
            signal.raise_signal(ended.number)
        finally:
            for number in numbers:
                signal.signal(number, signal.SIG_DFL)

    return called  # type: ignore[return-value]


def _end(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise _Ended(number)
