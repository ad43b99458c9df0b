"""The whole stack behind an exception, with the frames that Keras and TensorFlow filter out of their tracebacks.

A filtered traceback keeps its first and last frames, and a frame keeps its caller: walking back from where the
exception was raised finds every frame again, each with its live arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure, LiveFrame
from tensorwhy.model.location import Location
from tensorwhy.recording import locations


class Call(msgspec.Struct, frozen=True):
    """One frame. `location` is the user's line for a frame of the user's code (as converted by AutoGraph or not)."""

    frame: FrameType
    location: Location | None

    @property
    def user(self) -> bool:
        """Whether this is the user's code."""
        return self.location is not None

    @property
    def function(self) -> str:
        """The bare name of the function."""
        return self.frame.f_code.co_name

    @property
    def module(self) -> str:
        """The dotted name of the module the function was defined in."""
        return str(self.frame.f_globals.get("__name__", ""))

    @property
    def keras(self) -> bool:
        """Whether this is Keras's own code."""
        return packages.is_keras_module(self.module)

    def local(self, name: str) -> Any:
        """A local variable, None when there is no such name."""
        return self.frame.f_locals.get(name)


class Stack(msgspec.Struct, frozen=True):
    """All frames of one exception, outermost first."""

    exception: BaseException
    calls: tuple[Call, ...]

    @property
    def raised(self) -> Call:
        """The frame that raised."""
        return self.calls[-1]

    def innermost_user(self) -> int | None:
        """The index of the last frame of user code."""
        return next((i for i in range(len(self.calls) - 1, -1, -1) if self.calls[i].user), None)

    def user_before(self, index: int) -> Call | None:
        """The nearest frame of user code outside the frame at `index`."""
        return next((call for call in reversed(self.calls[:index]) if call.user), None)

    def user_frames(self, upto: int | None = None) -> tuple[tuple[FrameType, Location], ...]:
        """The user's frames with their lines, outermost first, as `bindings.origin` wants them."""
        chosen = self.calls if upto is None else self.calls[:upto]
        return tuple((call.frame, call.location) for call in chosen if call.location is not None)

    def library_after_user(self) -> tuple[Call, ...]:
        """The library frames inside the innermost user frame."""
        last = self.innermost_user()
        return self.calls if last is None else self.calls[last + 1 :]


def stacks(live: LiveFailure) -> Iterator[Stack]:
    """One stack per exception of the chain, the one raised first (the root) first."""
    first = live.exceptions[0].__traceback__
    outermost = first.tb_frame if first is not None else None
    for exception, entries in zip(reversed(live.exceptions), reversed(live.frames), strict=True):
        if exception.__traceback__ is not None:
            yield Stack(exception, tuple(_calls(exception.__traceback__, outermost, entries, live)))


def _calls(
    tb: TracebackType, outermost: FrameType | None, entries: tuple[LiveFrame, ...], live: LiveFailure
) -> list[Call]:
    """An exception that was caught within the same call has a short traceback: its frames go on to `outermost`.

    `entries` are its frames before filtering: Keras 2 cuts its own frames off also where one of them raised.
    """
    shown: dict[int, TracebackType] = {}
    each: TracebackType | None = tb
    while each is not None:
        shown[id(each.tb_frame)] = each
        last, each = each, each.tb_next
    frames: list[FrameType] = []
    frame: FrameType | None = _innermost(last.tb_frame, entries)
    while frame is not None:
        frames.append(frame)
        if frame is outermost:
            break
        frame = frame.f_back
    if not any(frame is tb.tb_frame for frame in frames):
        # A traceback put together from two stacks.
        frames = [each.tb_frame for each in reversed(shown.values())]
    elif frame is None:
        # Raised on another thread, or its frames were let go: only what the traceback vouches for.
        frames = frames[: next(i for i, each in enumerate(frames) if each is tb.tb_frame) + 1]
    frames.reverse()
    return [Call(frame, _location(frame, shown.get(id(frame)), live)) for frame in frames]


def _innermost(shown: FrameType, entries: tuple[LiveFrame, ...]) -> FrameType:
    """The frame that raised, if the last one of the filtered traceback had called it."""
    frame: FrameType | None = entries[-1].frame if entries else None
    while frame is not None and frame is not shown:
        frame = frame.f_back
    return entries[-1].frame if frame is shown else shown


def _location(frame: FrameType, tb: TracebackType | None, live: LiveFailure) -> Location | None:
    file = frame.f_code.co_filename
    if autograph.is_generated(file):
        found = autograph.original(file, tb.tb_lineno if tb is not None else frame.f_lineno)
        return found if found is not None and live.user.owns(found.file) else None
    if not live.user.runs(frame):
        return None
    return locations.of_traceback(tb) if tb is not None else locations.of_frame(frame)
