"""Signals that arrive while a hook works wait until the hook is done. Then they reach the program at its own line.

Python raises KeyboardInterrupt, and calls the program's handlers, between any two instructions, also inside a hook.
There the exception would take the hook's work with it, or the hook would take the exception for a failure of its own.
So each handler is replaced by an object whose `__call__` is looked up at the moment of the signal: the lookup decides,
and what it finds is called by the interpreter as if it had been registered itself. No frame of ours is in between.

A signal that would end the process without a word (SIGTERM) first lets the observation write what it knows.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps: the program may replace functions of that
import _thread
import contextlib
import os
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from time import monotonic, sleep, thread_time
from types import CodeType, FrameType
from typing import Any

from tensorwhy.recording.locations import UserCode

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_ASKED = os.path.join(_PACKAGE, "integrations", "")
"""What the user calls or ends by hand: an interrupt there is meant for it."""
_AGAIN = 0.002
"""Seconds until a signal that had to wait comes again."""
_WORKED, _LONGEST = 5.0, 60.0
"""Seconds that hooks may hold up a signal: of work, and by the clock, on a machine that hardly lets them work."""
_STUCK = 2.0
"""Seconds after which the main thread counts as stuck in a library: it does not act on a signal that ends it."""
_HIGH = 200
"""File descriptors from here on: those that the program opens keep the numbers that it knows."""
_DEADLY = frozenset(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGXCPU", "SIGALRM", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)
"""Signals that end a process without a word: of a scheduler, a terminal that is closed, a limit, a clock."""

_WEAK = weakref.WeakValueDictionary.__init__.__code__.co_filename

Dying = Callable[[int], None]


def _nothing(*_: object) -> None:
    """The handler of a signal that comes again."""


class _Handler:
    """Stands for a handler of the program's, or for the end of the process where there is none."""

    def __init__(self, interruptions: Interruptions, number: int, handler: Any) -> None:
        self.interruptions, self.number, self.handler = interruptions, number, handler

    @property
    def __call__(self) -> Callable[..., Any]:
        """What to call now."""
        return self.interruptions.answer(self, sys._getframe(1))


class Interruptions:
    """From `start` to `stop`, signals wait for hooks. Only the main thread can start and stop it.

    `dying` is told of a signal that ends the process. `bottom` is the code of the frame below the program.
    """

    def __init__(self, user: UserCode, bottom: CodeType | None = None, dying: Dying | None = None) -> None:
        self._user = user
        self._bottom = bottom
        self._dying = dying
        self._pid = os.getpid()
        self._started = False
        self._dies = False
        self._waits_since: tuple[float, float] | None = None
        self._undo: list[Callable[[], None]] = []
        self._ends: tuple[int, int] | None = None

    def start(self) -> None:
        """Stand in for all handlers, those that the program sets later included."""
        if self._started or threading.current_thread() is not threading.main_thread():
            return
        self._started = True
        for number in signal.valid_signals():
            handler = _signal.getsignal(number)
            stand_in = self._stand_in(number, handler)
            if stand_in is not handler:
                _signal.signal(number, stand_in)
        for name, replacement in (("signal", self._signal), ("getsignal", self._getsignal)):
            self._replace(name, replacement(getattr(signal, name)))
        if self._dying is not None and sys.platform != "win32":
            self._listen()
        _listening.append(self)

    def stop(self) -> None:
        """Give the program's handlers their places back."""
        if not self._started or threading.current_thread() is not threading.main_thread():
            return
        self._started = False
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        for number in signal.valid_signals():
            handler = _signal.getsignal(number)
            if isinstance(handler, _Handler) and handler.interruptions is self:
                _put(number, handler.handler)
        if self in _listening:
            _listening.remove(self)

    # -- standing in for handlers --------------------------------------------------------------------------------

    def _replace(self, name: str, replacement: Any) -> None:
        original = getattr(signal, name)
        replacement.__name__, replacement.__qualname__, replacement.__doc__ = name, name, original.__doc__
        replacement.__wrapped__ = original
        setattr(signal, name, replacement)

        def undo() -> None:
            if getattr(signal, name) is replacement:
                setattr(signal, name, original)

        self._undo.append(undo)

    def _signal(self, original: Callable[..., Any]) -> Any:
        def replaced(signalnum: Any, handler: Any) -> Any:
            return _own(original(signalnum, self._stand_in(signalnum, handler) if self._started else handler))

        return replaced

    def _getsignal(self, original: Callable[..., Any]) -> Any:
        def replaced(signalnum: Any) -> Any:
            return _own(original(signalnum))

        return replaced

    def _stand_in(self, number: int, handler: Any) -> Any:
        ends = self._dying is not None and handler == signal.SIG_DFL and number in _DEADLY
        if not ends and not callable(handler):
            return handler
        return _Handler(self, int(number), signal.SIG_DFL if ends else handler)

    def answer(self, handler: _Handler, frame: FrameType | None) -> Callable[..., Any]:
        """What to call for a signal that arrived while this frame was running."""
        if self._started and self._has_to_wait(handler, frame):
            _thread.start_new_thread(_again, (handler.number,))
            return _nothing
        self._waits_since = None
        if callable(handler.handler):
            found: Callable[..., Any] = handler.handler
            return found
        return self._die

    def _has_to_wait(self, handler: _Handler, frame: FrameType | None) -> bool:
        since = self._waits_since = self._waits_since or (monotonic(), thread_time())
        waited, worked = monotonic() - since[0], thread_time() - since[1]
        if waited > _LONGEST or worked > _WORKED or not self._in_a_hook(frame):
            return False
        # An event loop has heard of the signal already, and would hear of it twice.
        by_default = handler.handler is signal.default_int_handler or not callable(handler.handler)
        return by_default or not self._is_heard_by_others()

    def _in_a_hook(self, frame: FrameType | None) -> bool:
        """Whether this is work of ours that the program does not know of."""
        ours, direct = False, True
        while frame is not None and frame.f_code is not self._bottom:
            code, file = frame.f_code, _file(frame)
            if not file.startswith(_PACKAGE):
                ours = ours or file == _WEAK or code.co_name == "__del__"  # what is raised there is lost
                if self._user.owns(file):
                    break
            elif file.startswith(_ASKED):
                return False
            elif not (ours or direct) and "original" in code.co_freevars:
                return False  # a wrapper, in the middle of what it wraps
            else:
                ours = True
            frame, direct = frame.f_back, False
        return ours

    def _is_heard_by_others(self) -> bool:
        """Whether the program has signals written to a file."""
        end = _signal.set_wakeup_fd(-1)
        if end != -1:
            _signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        return end != -1 and (self._ends is None or end != self._ends[1])

    # -- the end of the process ----------------------------------------------------------------------------------

    def _die(self, number: int, frame: FrameType | None) -> None:
        """Let the observation write, then die as the program would have. A second signal ends that, too."""
        _put(number, signal.SIG_DFL)
        self._end(number)

    def _end(self, number: int) -> None:
        self._dies = True
        try:
            if self._dying is not None and os.getpid() == self._pid:
                self._dying(number)
        finally:
            os.kill(os.getpid(), number)

    def _listen(self) -> None:
        """Have a thread notice what a main thread that is stuck in a library does not."""
        if self._is_heard_by_others():
            return
        try:
            reads, writes = (_moved(end) for end in os.pipe())
        except OSError:
            return
        os.set_blocking(writes, False)
        self._ends = reads, writes
        _signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
        original = signal.set_wakeup_fd

        def replaced(fd: int, **options: Any) -> int:
            if fd == -1 and self._started:
                fd, options = writes, {"warn_on_full_buffer": False}
            before = original(fd, **options)
            return -1 if before == writes else before

        self._replace("set_wakeup_fd", replaced)
        self._undo.append(self._hear_no_more)
        # The system gives a signal to any thread that takes it, and Python's main thread may end before it hears of it.
        before = _signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            _thread.start_new_thread(self._hear, (reads,))
        finally:
            _signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _hear(self, reads: int) -> None:
        while True:
            try:
                heard = os.read(reads, 64)
            except OSError:
                return
            if not heard or not self._started:
                os.close(reads)
                return
            for number in _DEADLY.intersection(heard):
                sleep(_STUCK)
                handler = _signal.getsignal(number)
                if self._started and not self._dies and isinstance(handler, _Handler) and not callable(handler.handler):
                    _by_default(number)
                    self._end(number)

    def _hear_no_more(self) -> None:
        assert self._ends is not None
        if not self._is_heard_by_others():
            _signal.set_wakeup_fd(-1)
        os.close(self._ends[1])

    def ending(self) -> set[int]:
        """The signals that end the process, where the program has no handler of its own."""
        handlers = {number: _signal.getsignal(number) for number in _DEADLY} if self._started else {}
        return {each for each, of in handlers.items() if isinstance(of, _Handler) and not callable(of.handler)}

    def forked(self) -> None:
        """In a child process, signals that end it do so at once."""
        if self._started:
            for number in self.ending():
                _put(number, signal.SIG_DFL)
            if self._ends is not None and not self._is_heard_by_others():
                _signal.set_wakeup_fd(-1)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Let signals that interrupt or end the process wait for what is done inside, and come after it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = {number: _signal.getsignal(number) for number in (signal.SIGINT, *_DEADLY)}
    before = {number: each for number, each in known.items() if callable(each) or each == signal.SIG_DFL}
    came: dict[int, None] = {}
    for number in before:
        _signal.signal(number, lambda number, _: came.setdefault(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            _put(number, handler)
        for number in came:
            signal.raise_signal(number)


_listening: list[Interruptions] = []


_masked = threading.local()


def _forks() -> None:
    """A signal that meets a child before it knows that it is one would be heard in the parent: it has to wait.

    One that the program handles does not: what a handler raises in a callback of a fork is lost.
    """
    if _listening:
        ending = set().union(*(each.ending() for each in _listening))
        _masked.before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)


def _has_forked() -> None:
    before = _masked.__dict__.pop("before", None)
    if before is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _forked() -> None:
    for each in tuple(_listening):
        each.forked()
    _has_forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_forks, after_in_parent=_has_forked, after_in_child=_forked)


def _again(number: int) -> None:
    if hasattr(signal, "pthread_sigmask"):
        _signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # other signals are for the program's threads
    sleep(_AGAIN)
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)  # a true signal: it also wakes a program that has gone to sleep meanwhile
    else:
        _thread.interrupt_main(signal.Signals(number))


def _put(number: int, handler: Any) -> None:
    _signal.signal(number, int(handler) if isinstance(handler, int) else handler)


def _file(frame: FrameType) -> str:
    """The file of a frame; of a method that Python wrote itself, as for dataclasses, that of the class."""
    file = frame.f_code.co_filename
    found = frame.f_globals.get("__file__") if file == "<string>" else None
    return found if isinstance(found, str) else file


def _own(handler: Any) -> Any:
    return handler.handler if isinstance(handler, _Handler) else handler


def _moved(end: int) -> int:
    """The same pipe under a number that the program does not use."""
    import fcntl

    try:
        return fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    finally:
        os.close(end)


def _by_default(number: int) -> None:
    """Let the signal end the process; `signal.signal` can say that in the main thread only."""
    import ctypes

    set_handler = ctypes.pythonapi.PyOS_setsig
    set_handler.argtypes, set_handler.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    set_handler(number, None)
