"""Turns an exception that failed the program into what probes and rules read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tensorwhy.adapters import autograph, stack
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.failure import Failure
from tensorwhy.model.location import Location
from tensorwhy.recording import tracebacks
from tensorwhy.recording.locations import UserCode

_LIMIT = 16


def live_failure(exception: BaseException, user: UserCode) -> LiveFailure:
    """The exception with its whole chain. Must be called while the traceback's frames are alive."""
    exceptions = tuple(_chain(exception))
    stacks = tuple(
        stack.of_entries(each, tracebacks.entries(each, exceptions[number + 1 :]), user)
        for number, each in enumerate(exceptions)
    )
    records = [_record(each) for each in stacks]
    first = records[0]
    record = Failure(
        exception=first.exception,
        message=first.message,
        location=first.location,
        frames=first.frames,
        chain=tuple(records[1:]),
        traced=tuple(_traced(frame for each in stacks for frame in each.frames)),
    )
    return LiveFailure(stacks=stacks, record=record, user=user)


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


def _traced(frames: Iterable[Frame]) -> Iterator[Location]:
    """The lines from which AutoGraph made the code of these frames."""
    for frame in frames:
        if autograph.is_generated(frame.at.file):
            written = autograph.original(frame.at.file, frame.at.line)
            if written is not None:
                yield written


def _record(stack: Stack) -> Failure:
    own = tuple(frame.location for frame in stack.frames if frame.location is not None and not frame.converted)
    return Failure(
        exception=_qualified(type(stack.exception)),
        message=_message(stack.exception),
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
