"""Where the user's code stood in a failed program, AutoGraph's rewritten copies included."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure, LiveFrame
from tensorwhy.model.location import Location


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A frame of the user's code. `inner` are the library frames that it had called, outermost first.

    `generated`: the frame runs AutoGraph's copy; its locals are those of the original, its columns are not known.
    `exception` is the one, of the chain, whose traceback the frame was found in.
    """

    frame: FrameType
    location: Location
    generated: bool
    inner: tuple[LiveFrame, ...]
    exception: BaseException


def location_of(frame: LiveFrame) -> Location | None:
    """The user's own line that this frame runs; None for a library's frame."""
    if frame.user:
        return frame.location
    file = frame.frame.f_code.co_filename
    return autograph.original(file, frame.location.line) if autograph.is_generated(file) else None


def innermost(live: LiveFailure) -> Iterator[Place]:
    """The innermost place of the user's code for each exception of the chain, the one raised first coming first."""
    for exception, frames in zip(reversed(live.exceptions), reversed(live.frames), strict=True):
        place = _innermost(exception, frames, live)
        if place is not None:
            yield place


def _innermost(exception: BaseException, frames: tuple[LiveFrame, ...], live: LiveFailure) -> Place | None:
    for index in range(len(frames) - 1, -1, -1):
        location = location_of(frames[index])
        # AutoGraph also rewrites what Keras itself has traced: its training step.
        if location is not None and (frames[index].user or live.user.owns(location.file)):
            return Place(
                frame=frames[index].frame,
                location=location,
                generated=not frames[index].user,
                inner=frames[index + 1 :],
                exception=exception,
            )
    return None


def all_frames(live: LiveFailure) -> Iterator[LiveFrame]:
    """The frames of the whole chain, innermost exception first, innermost frame first."""
    for frames in reversed(live.frames):
        yield from reversed(frames)


def callers(frames: tuple[LiveFrame, ...], live: LiveFailure) -> list[LiveFrame]:
    """The frames among these that run the user's code, as such, innermost first."""
    return [
        LiveFrame(frame=frame.frame, location=location, user=True)
        for frame in reversed(frames)
        if (location := location_of(frame)) is not None and (frame.user or live.user.owns(location.file))
    ]


def user_frames(live: LiveFailure) -> tuple[LiveFrame, ...]:
    """All frames of the chain that run the user's code, as such, each once."""
    found: dict[int, LiveFrame] = {}
    for frame in all_frames(live):
        location = location_of(frame)
        if location is not None:
            found.setdefault(id(frame.frame), LiveFrame(frame=frame.frame, location=location, user=True))
    return tuple(found.values())
