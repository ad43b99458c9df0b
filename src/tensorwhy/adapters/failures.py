"""Turns an exception that failed the program into what probes and rules read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure, LiveFrame
from tensorwhy.model.failure import Failure
from tensorwhy.model.location import Location
from tensorwhy.recording import tracebacks
from tensorwhy.recording.locations import UserCode, of_traceback, resolve

_LIMIT = 16


def live_failure(exception: BaseException, user: UserCode) -> LiveFailure:
    """The exception with its whole chain. Must be called while the traceback's frames are alive."""
    exceptions = tuple(_chain(exception))
    frames = tuple(
        tuple(_frames(tracebacks.entries(each, exceptions[number + 1 :]), user))
        for number, each in enumerate(exceptions)
    )
    records = [_record(each, live) for each, live in zip(exceptions, frames, strict=True)]
    first = records[0]
    record = Failure(
        exception=first.exception,
        message=first.message,
        location=first.location,
        frames=first.frames,
        chain=tuple(records[1:]),
        traced=tuple(_traced(frame for each in frames for frame in each)),
    )
    return LiveFailure(exceptions=exceptions, frames=frames, record=record, user=user)


def _chain(exception: BaseException) -> Iterator[BaseException]:
    """The exception, then causes and contexts, nearest first, also those that `from None` hides from the traceback."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [exception]
    while waiting and len(seen) < _LIMIT:
        each = waiting.pop(0)
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        waiting += [each.__cause__, each.__context__]
        waiting += getattr(each, "exceptions", ()) if type(each).__name__.endswith("ExceptionGroup") else ()


def _frames(entries: Iterable[TracebackType], user: UserCode) -> Iterator[LiveFrame]:
    for tb in entries:
        code = tb.tb_frame.f_code
        own = user.runs(tb.tb_frame)
        # Exact columns of library frames would mean parsing the libraries on Python 3.10.
        location = of_traceback(tb) if own else resolve(code, tb.tb_lasti, tb.tb_lineno)
        yield LiveFrame(frame=tb.tb_frame, location=location, user=own)


def _traced(frames: Iterable[LiveFrame]) -> Iterator[Location]:
    """The lines from which AutoGraph made the code of these frames."""
    for frame in frames:
        if autograph.is_generated(frame.location.file):
            written = autograph.original(frame.location.file, frame.location.line)
            if written is not None:
                yield written


def _record(exception: BaseException, frames: tuple[LiveFrame, ...]) -> Failure:
    own = tuple(frame.location for frame in frames if frame.user)
    return Failure(
        exception=_qualified(type(exception)),
        message=_message(exception),
        location=own[-1] if own else None,
        frames=own,
    )


def _qualified(kind: type[BaseException]) -> str:
    return (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )


def _message(exception: BaseException) -> str:
    try:
        return str(exception)
    except Exception as error:  # the exception's own __str__ is the user's code
        return f"<{type(exception).__name__}.__str__ failed: {type(error).__name__}>"
