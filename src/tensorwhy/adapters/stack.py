"""The one stack behind an exception: all of its frames, those that frameworks cut out of tracebacks included.

A frame keeps its locals, so a stack shows what each function was given, and a frame of the user's code, or of the copy
that AutoGraph made of it, knows the line that the user wrote. What is special about a library's function is data
elsewhere: its name, its file, and the locals to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType, TracebackType
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode, of_traceback, resolve


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One frame. `at` is where it stood in its own file, `location` the user's line, and None in a library.

    `converted`: it runs AutoGraph's copy of the user's function. Its locals are those of the original; its columns are
    not known.
    """

    frame: FrameType
    at: Location
    location: Location | None
    converted: bool = False

    @property
    def user(self) -> bool:
        """Whether this is the user's code, converted by AutoGraph or not."""
        return isinstance(self, UserFrame)

    @property
    def function(self) -> str:
        """The bare name of the function."""
        return self.frame.f_code.co_name

    @property
    def name(self) -> str:
        """The function's name without leading underscores: TensorFlow adds and removes them between versions."""
        return self.frame.f_code.co_name.lstrip("_")

    @property
    def file(self) -> str:
        """The file of the code, with forward slashes."""
        return self.frame.f_code.co_filename.replace("\\", "/")

    @property
    def module(self) -> str:
        """The dotted name of the module that the function was defined in."""
        return str(self.frame.f_globals.get("__name__", ""))

    @property
    def qualified(self) -> str:
        """The function as its library names it: `keras: Layer.__call__`."""
        root = self.module.partition(".")[0]
        return f"{root}: {getattr(self.frame.f_code, 'co_qualname', self.function).replace('.<locals>', '')}"

    def local(self, name: str) -> Any:
        """A local variable of the frame; None when there is none."""
        return self.frame.f_locals.get(name)


class UserFrame(Frame, frozen=True, kw_only=True):
    """A frame of the user's code."""

    location: Location


class Stack(msgspec.Struct, frozen=True):
    """Frames of one exception, outermost first, with questions about them."""

    exception: BaseException
    frames: tuple[Frame, ...]

    @property
    def raised(self) -> Frame:
        """The frame that raised."""
        return self.frames[-1]

    @property
    def own(self) -> UserFrame | None:
        """The deepest frame of the user's code."""
        return self.caller(len(self.frames))

    @property
    def inner(self) -> tuple[Frame, ...]:
        """The library frames inside the deepest frame of the user's code."""
        last = self.innermost_user()
        return self.frames if last is None else self.frames[last + 1 :]

    def innermost_user(self) -> int | None:
        """The index of the deepest frame of the user's code."""
        return next((index for index in range(len(self.frames) - 1, -1, -1) if self.frames[index].user), None)

    def find(self, function: str | tuple[str, ...], file: str = "") -> Iterator[tuple[int, Frame]]:
        """Library frames of a function (its name without leading underscores), innermost first."""
        names = (function,) if isinstance(function, str) else function
        for index in range(len(self.frames) - 1, -1, -1):
            frame = self.frames[index]
            if not frame.user and frame.name in names and frame.file.endswith(file):
                yield index, frame

    def first(self, function: str | tuple[str, ...], file: str = "") -> tuple[int, Frame] | None:
        """The innermost of `find`."""
        return next(self.find(function, file), None)

    def caller(self, index: int) -> UserFrame | None:
        """The frame of the user's code from which the frame at `index` was reached."""
        return next((frame for frame in reversed(self.frames[:index]) if isinstance(frame, UserFrame)), None)

    def below(self, index: int) -> tuple[UserFrame, ...]:
        """The user's frames that the frame at `index` called, outermost first."""
        return tuple(frame for frame in self.frames[index + 1 :] if isinstance(frame, UserFrame))

    def user_frames(self, upto: int | None = None) -> tuple[tuple[FrameType, Location], ...]:
        """The user's frames with their lines, outermost first, as `bindings.origin` wants them."""
        chosen = self.frames if upto is None else self.frames[:upto]
        return tuple((frame.frame, frame.location) for frame in chosen if isinstance(frame, UserFrame))


class UserStack(Stack, frozen=True):
    """The stack of an exception that passed through the user's code."""

    @property
    def own(self) -> UserFrame:
        """The deepest frame of the user's code."""
        found = super().own
        assert found is not None
        return found


def of_entries(exception: BaseException, entries: Iterable[TracebackType], user: UserCode) -> Stack:
    """The frames that an exception passed through."""
    return Stack(exception, tuple(_of_entry(entry, user) for entry in entries))


def joined(stacks: Sequence[Stack]) -> Stack:
    """The frames of a chain of exceptions as one sequence, those of the raised one first.

    AutoGraph runs a converted copy of the user's function and raises a new exception on the way out, so the frames of
    one failure are spread over a chain.
    """
    found: dict[int, Frame] = {}
    for stack in stacks:
        for frame in stack.frames:
            found.setdefault(id(frame.frame), frame)
    return Stack(stacks[0].exception, tuple(found.values()))


def whole(stacks: Sequence[Stack], user: UserCode) -> Iterator[Stack]:
    """One stack per exception of the chain with all of its callers, the one raised first (the root) first.

    An exception that was caught within the same call has a short traceback: its frames go on to the program's.
    """
    first = stacks[0].exception.__traceback__
    outermost = first.tb_frame if first is not None else None
    for stack in reversed(stacks):
        if stack.exception.__traceback__ is not None:
            frames = tuple(_with_callers(stack.exception.__traceback__, outermost, stack.frames, user))
            yield Stack(stack.exception, frames)


def _with_callers(
    tb: TracebackType, outermost: FrameType | None, known: tuple[Frame, ...], user: UserCode
) -> list[Frame]:
    """Every frame keeps its caller, so walking back from where the exception was raised finds all of them again.

    `known` are the frames before filtering: Keras 2 cuts its own frames off also where one of them raised.
    """
    shown: dict[int, TracebackType] = {}
    each: TracebackType | None = tb
    while each is not None:
        shown[id(each.tb_frame)] = each
        last, each = each, each.tb_next
    frames: list[FrameType] = []
    frame: FrameType | None = _innermost(last.tb_frame, known)
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
    frames += _deeper(frames[-1], known)
    entries = {id(each.frame): each for each in known}
    return [
        _of_entry(shown[id(frame)], user) if id(frame) in shown else entries.get(id(frame)) or of_frame(frame, user)
        for frame in frames
    ]


def _deeper(last: FrameType, known: tuple[Frame, ...]) -> list[FrameType]:
    """Frames inside the last one that no longer know their caller, as those of another thread."""
    at = next((index for index, each in enumerate(known) if each.frame is last), None)
    return [each.frame for each in known[at + 1 :]] if at is not None else []


def _innermost(shown: FrameType, known: tuple[Frame, ...]) -> FrameType:
    """The frame that raised, if the last one of the filtered traceback had called it."""
    frame: FrameType | None = known[-1].frame if known else None
    while frame is not None and frame is not shown:
        frame = frame.f_back
    return known[-1].frame if frame is shown else shown


def _of_entry(entry: TracebackType, user: UserCode) -> Frame:
    frame = entry.tb_frame
    return _made(frame, entry.tb_lasti, entry.tb_lineno, user, lambda: of_traceback(entry))


def of_frame(frame: FrameType, user: UserCode) -> Frame:
    """A frame that is still running."""
    return _made(frame, frame.f_lasti, frame.f_lineno, user, lambda: locations.of_frame(frame))


def _made(frame: FrameType, lasti: int, line: int, user: UserCode, exact: Callable[[], Location]) -> Frame:
    file = frame.f_code.co_filename
    if user.runs(frame):
        location = exact()
        return UserFrame(frame=frame, at=location, location=location)
    # Exact columns of library frames would mean parsing the libraries on Python 3.10.
    at = resolve(frame.f_code, lasti, line)
    if not autograph.is_generated(file):
        return Frame(frame=frame, at=at, location=None)
    written = autograph.original(file, line)
    # AutoGraph also rewrites what Keras itself has traced: its training step.
    if written is None or not user.owns(written.file):
        return Frame(frame=frame, at=at, location=None)
    return UserFrame(frame=frame, at=at, location=written, converted=True)
