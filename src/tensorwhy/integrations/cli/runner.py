"""Runs the user's program as plain python would, and explains afterwards.

The program becomes `__main__` in this very process. What it raises travels on to the interpreter, which ends the
process as always (SystemExit, death by SIGINT, atexit order); only our own frames are taken from the traceback before
anything shows it. The explanation is written by the exit handler that was registered first, and so runs last.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.integrations.cli.output import Output, complain
from tensorwhy.integrations.cli.progress import Progress
from tensorwhy.integrations.cli.selection import Selection
from tensorwhy.integrations.cli.target import Target
from tensorwhy.pipeline import Observation
from tensorwhy.recording.locations import UserCode

if TYPE_CHECKING:
    from tensorwhy.adapters.protocol import Rehearsal
    from tensorwhy.model.report import Report

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras", "torch")
_leave_at_once = os._exit
_ROOM = 1 << 15
"""Slots for frames: some thousand frames of a usual size."""


def _with_room_above(function: Callable[..., None]) -> Callable[..., None]:
    """The frames of all that the function calls lie in one piece of memory.

    From 3.11 on, Python keeps frames in chunks of 16 KB, and maps and unmaps one at each call that happens to stand at
    the end of another: where, our own frames would shift. A frame that does not fit gets a chunk of twice its size, and
    leaves the other half to those above it. Memory that no frame uses is never touched.
    """
    function.__code__ = function.__code__.replace(co_stacksize=_ROOM)
    return function


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for."""

    record: Any = "auto"
    experiments: bool = True
    trace: str | None = None
    keep_steps: int | None = None
    fail_on: str | None = None
    rehearse: str | None = None
    selection: Selection = Selection()
    ask: Any = ()
    children: bool = False


class Run:
    """One program, from start to the written explanation."""

    def __init__(self, target: Target, output: Output, settings: Settings) -> None:
        self._target = target
        self._output = output
        self._settings = settings
        self._exit_code = 0
        self._dies = False
        self._missing = ""
        self._pid = os.getpid()
        self._path = list(sys.path)
        self._rehearsal = _rehearsal(settings.rehearse) if settings.rehearse else None
        self._observation = Observation(
            UserCode(target.own, _below(runpy_too=not target.flag and target.code is not None)),
            settings.record,
            program=target.file,
            argv=target.arguments,
            experiments=settings.experiments,
            trace=settings.trace,
            rehearsal=self._rehearsal,
            keep_steps=settings.keep_steps,
            ask=settings.ask,
            observed=self._observed if settings.children else None,
            dying=self._dying,
            bottom=Run.start.__code__,
        )

    @_with_room_above
    def start(self) -> None:
        """Run the program. What it raises comes out, as it does from the interpreter's own main."""
        atexit.register(self._end)
        _forget("click")
        if self._settings.children and self._settings.trace is not None:
            from tensorwhy.integrations import children

            children.follow(self._settings.trace)
        self._observation.start()
        os._exit = self._leaving(os._exit)  # type: ignore[assignment]
        _end_stacks_at_the_program()
        namespace = self._target.enter()
        _leave_room_to_recurse()
        try:
            if self._target.code is not None:
                exec(self._target.code, namespace)
            else:
                runpy._run_module_as_main(self._target.module, bool(self._target.flag))  # type: ignore[attr-defined]
        except SystemExit as leaving:
            self._exit_code = _exit_code(leaving)
            self._explain_refusal(leaving)
            if self._exit_code:
                self._observation.left(leaving)
            raise
        except BaseException as exception:
            self._exit_code = 130 if type(exception) is KeyboardInterrupt else 1
            self._catch(getattr(sys, "excepthook", _report_without_hook))
            raise

    def _catch(self, excepthook: Any) -> None:
        """Be called once when the interpreter reports the exception: look at it, then report it without our frames."""

        def report(kind: type[BaseException], exception: BaseException, tb: TracebackType | None) -> None:
            sys.excepthook = excepthook
            tb = _without_ours(tb)
            sys.last_traceback = tb
            exception.__traceback__ = tb
            self._observation.failed(exception)
            if isinstance(exception, ModuleNotFoundError) and exception.name in _FRAMEWORKS:
                self._missing = exception.name
            try:
                excepthook(kind, exception, tb)
            except SystemExit:
                raise
            except BaseException as error:
                _report_failed_hook(error, exception, tb)

        sys.excepthook = report

    def _explain_refusal(self, leaving: SystemExit) -> None:
        """A module that does not exist is bad input: one line. What Python refuses for its text, Python tells."""
        if not self._target.flag or _started(leaving.__traceback__) or not isinstance(leaving.code, str):
            return
        complain(f"error: {leaving.code.partition(': ')[2] or leaving.code}")
        self._pid = -1
        raise SystemExit(2) from None

    def _end(self, by_signal: bool = False) -> None:
        """The last thing before the interpreter is taken down; `by_signal`: it is not, the process just ends."""
        if os.getpid() != self._pid:
            return
        self._pid = -1  # once
        if self._rehearsal is not None and threading.current_thread() is threading.main_thread():
            # What interrupts a rehearsal is for the program. It is over, and its explanation may take longer.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        path, sys.path[:] = list(sys.path), self._path
        if not hasattr(sys, "excepthook"):  # the program deleted it, and no thread can be made without it
            sys.excepthook = sys.__excepthook__
        try:
            if not by_signal:  # then what the program had not written yet is lost, as it always is
                _flush(sys.stdout)
            progress = Progress()
            try:
                waited_for = self._rehearsal is None and (self._dies or self._exit_code == 130)
                report = self._observation.finish(self._exit_code, progress, interrupted=waited_for)
                if self._settings.children:
                    report = self._with_children(report)
            finally:
                progress.close()
            if self._rehearsal is None:  # what `fix` compares is all there is
                report = self._settings.selection.of(report)
            self._output.write(report)
            if self._rehearsal is not None and self._settings.rehearse:
                Path(self._settings.rehearse).write_bytes(msgspec.json.encode(self._rehearsal))
        except KeyboardInterrupt:
            complain("interrupted, so there is no explanation")
            return
        except BadInput as error:
            complain(f"error: {error.message}")
            return
        except Exception as error:
            complain(f"could not explain: {type(error).__name__}: {error}; the program itself was not affected")
            return
        finally:
            sys.path[:] = path
            if self._exit_code == 130:
                _interrupted_again()
        code = self._verdict(report)
        if code:
            _flush(sys.stdout)
            _flush(sys.stderr)
            _leave_at_once(code)

    def _dying(self, number: int) -> None:
        """A signal ends the process: nothing of the program runs any more, not even what it registered for its exit."""
        self._exit_code, self._dies = 128 + number, True
        self._end(by_signal=True)

    def _leaving(self, leave: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
        """`os._exit` of the program: nothing of the program runs any more, and the explanation is written first."""

        @functools.wraps(leave)
        def _exit(status: int) -> NoReturn:
            if os.getpid() == self._pid and isinstance(status, int):
                self._exit_code = status & 0xFF
                self._end(by_signal=True)
            leave(status)

        return _exit

    def _observed(self) -> int:
        """How many child processes have written a trace."""
        from tensorwhy.traces import reader

        return len(reader.workers(str(self._settings.trace))) - 1

    def _with_children(self, report: Report) -> Report:
        """What the processes found that this one started, beside what it found itself."""
        from tensorwhy.pipeline.unfinished import explained
        from tensorwhy.traces import merge, reader

        workers = reader.workers(str(self._settings.trace))
        if len(workers) < 2:
            return report
        merged = merge.report(workers, report.tool_version, explained)
        excerpts = {file: {**lines, **merged.excerpts.get(file, {})} for file, lines in report.excerpts.items()}
        return msgspec.structs.replace(
            merged, program=report.program, answers=report.answers, excerpts={**merged.excerpts, **excerpts}
        )

    def _verdict(self, report: Report) -> int:
        """The exit code that replaces the program's own; 0 leaves it."""
        if self._missing:
            complain(
                f"error: {self._missing} is not installed for {sys.executable}: install it there,"
                f" or run `python -m tensorwhy` with the Python that has it"
            )
            return 2
        return 1 if self._exit_code == 0 and report.fails(self._settings.fail_on) else 0


def _rehearsal(path: str) -> Rehearsal:
    """What another tensorwhy wrote into a file before it started this one."""
    from tensorwhy.adapters.protocol import Rehearsal

    return msgspec.json.decode(Path(path).read_bytes(), type=Rehearsal)


def _below(runpy_too: bool) -> set[str]:
    """The files of the frames that stand below the program; runpy's belong to it where it runs through runpy."""
    files: set[str] = set()
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if runpy_too or frame.f_globals.get("__name__") != "runpy":
            files.add(frame.f_code.co_filename)
        frame = frame.f_back
    return files


def _without_ours(tb: TracebackType | None) -> TracebackType | None:
    each = tb
    while each is not None:
        if each.tb_frame.f_code is Run.start.__code__:
            return each.tb_next
        each = each.tb_next
    return tb


def _end_stacks_at_the_program() -> None:
    """A stack that the program (or TensorFlow) prints ends where the program begins.

    `traceback.print_stack`, `format_stack` and `logging`'s `stack_info` all walk through this one function.
    """
    walk = traceback.walk_stack

    def walk_stack(f: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        # Given None, it counts frames up from itself: a wrapper in between would change what it finds.
        return walk(f) if f is None else itertools.takewhile(lambda each: each[0].f_code is not start, walk(f))

    start = Run.start.__code__
    traceback.walk_stack = walk_stack


def _leave_room_to_recurse() -> None:
    """Add what is below the program to the levels that a recursion may have. What the program sees is without that."""
    frame: FrameType | None = sys._getframe(1)
    below = []
    while frame is not None:
        below.append(frame.f_globals.get("__name__"))
        frame = frame.f_back
    # Up to 3.11, a call of `exec` is a level, too: ours, and that of runpy.
    from_c = 0 if sys.version_info >= (3, 12) else 1 + ("runpy" in below)
    levels = len(below) + from_c
    get, put = sys.getrecursionlimit, sys.setrecursionlimit

    def getrecursionlimit() -> int:
        return get() - levels

    def setrecursionlimit(limit: int, /) -> None:
        put(limit + levels if isinstance(limit, int) and limit > 0 else limit)

    put(get() + levels)
    sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit


def _started(tb: TracebackType | None) -> bool:
    """Whether a frame of `__main__` was reached below runpy's."""
    namespace = vars(sys.modules["__main__"])
    tb = _without_ours(tb)
    while tb is not None:
        if tb.tb_frame.f_globals is namespace:
            return True
        tb = tb.tb_next
    return False


def _exit_code(leaving: SystemExit) -> int:
    """The exit code that Python makes of `SystemExit.code`."""
    if leaving.code is None:
        return 0
    return leaving.code & 0xFF if isinstance(leaving.code, int) else 1


def _report_without_hook(kind: type[BaseException], exception: BaseException, tb: TracebackType | None) -> None:
    """What the interpreter prints when the program has deleted `sys.excepthook`."""
    del sys.excepthook
    print("sys.excepthook is missing", file=sys.stderr)
    sys.__excepthook__(kind, exception, tb)


def _report_failed_hook(error: BaseException, exception: BaseException, tb: TracebackType | None) -> None:
    """What the interpreter prints when the user's own excepthook fails."""
    print("Error in sys.excepthook:", file=sys.stderr)
    own = error.__traceback__
    error.__traceback__ = own and own.tb_next
    sys.__excepthook__(type(error), error, error.__traceback__)
    print("\nOriginal exception was:", file=sys.stderr)
    sys.__excepthook__(type(exception), exception, tb)


def _interrupted_again() -> None:
    """Let the process die by SIGINT, as it would.

    The interpreter remembers an unhandled KeyboardInterrupt in a flag that every evaluated string resets, and what we
    import while explaining evaluates some. The same evaluation sets it.
    """
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        pass


def _forget(package: str) -> None:
    """The program may have a module of its own under this name: it is not to get ours."""
    for name in list(sys.modules):
        if name == package or name.startswith(package + "."):
            del sys.modules[name]


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except (AttributeError, OSError, ValueError):
        # Closed or broken: the interpreter finds that out itself, in its own way.
        pass
