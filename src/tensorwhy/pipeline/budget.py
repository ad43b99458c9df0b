"""Bounds the time that one piece of work may take, whatever it does.

The clock counts the processor time of the thread that works, so that a busy machine changes no answer; only where
somebody waits for the end, it counts real time. A second thread watches it: only exceptions that come from outside end
a loop in which nobody looks at a clock.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Iterator

from tensorwhy.pipeline.internal_errors import InternalErrors

_OFTEN = 0.05
"""Seconds between two looks at the clock."""
Clock = Callable[[int], float]
"""Gives the seconds that a thread has used."""


class Spent(BaseException):
    """The time is over. Not an Exception: what bulkheads catch is an error of their own work."""


def of_processor(thread: int) -> float:
    """Count the time that a thread works."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


def by_clock(thread: int) -> float:
    """Count the time that passes."""
    return time.monotonic()


@contextlib.contextmanager
def limited(seconds: float, clock: Clock = of_processor) -> Iterator[None]:
    """Raise Spent inside the block, and out of it, when it has used so much time."""
    watch = _Watch(seconds, clock)
    watch.start()
    try:
        yield
    finally:
        watch.stop()


@contextlib.contextmanager
def bounded(seconds: float, errors: InternalErrors, what: str, clock: Clock = of_processor) -> Iterator[None]:
    """End what is done inside when it has used so much time. The report says that it was ended."""
    try:
        with limited(seconds, clock):
            yield
    except Spent:
        when = " after an interrupt" if clock is by_clock else ""
        errors.add([f"{what} takes more than {seconds:.0f} s{when}: it was stopped, and the report is incomplete"])


class Allowance:
    """So much time of this thread, for work that looks at the clock itself."""

    def __init__(self, seconds: float, clock: Clock = of_processor) -> None:
        self.seconds, self.clock = seconds, clock
        self._thread = threading.get_ident()
        self._until = clock(self._thread) + seconds
        self._next, self._spent = 0.0, False

    def left(self, least: float = 0.0, after: float = 0.0) -> float:
        """Return the seconds that are left when some are kept for what comes `after`, but never fewer than `least`."""
        return max(self._until - self.clock(self._thread) - after, least)

    def spent(self) -> bool:
        """Return whether the time is over. It is cheap to ask, in a loop of thousands."""
        now = time.monotonic()
        if not self._spent and now > self._next:
            self._next, self._spent = now + _OFTEN, self.clock(self._thread) > self._until
        return self._spent


class _Watch:
    def __init__(self, seconds: float, clock: Clock) -> None:
        self._worker, self._clock = threading.get_ident(), clock
        self._until = clock(self._worker) + seconds
        self._done = threading.Event()
        self._sent = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="tensorwhy-budget", daemon=True)

    def start(self) -> None:
        with contextlib.suppress(RuntimeError):  # no thread can be had, in a process that ends: then without a limit
            self._thread.start()

    def stop(self) -> None:
        with self._lock:
            self._done.set()
        if self._sent:
            _take(self._worker)  # one that did not arrive yet must not arrive later
        with contextlib.suppress(RuntimeError):  # it was never started
            self._thread.join()  # a program that runs afterwards counts its threads

    def _run(self) -> None:
        while not self._done.wait(_OFTEN):
            if self._clock(self._worker) > self._until:
                with self._lock:
                    if not self._done.is_set():
                        self._sent = True
                        _raise(self._worker, Spent)
                return


def _take(thread: int) -> None:
    """Let Spent arrive in this thread, here: what was sent is replaced by it.

    Python 3.11 can take an exception back, but then runs no faster than in a debugger, and under a tracer not at all.
    """
    try:
        _raise(thread, Spent)
        while True:
            pass
    except Spent:
        pass


def _raise(thread: int, kind: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))
