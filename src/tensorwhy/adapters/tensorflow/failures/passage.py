"""The way of an exception through frames: the user's, those that AutoGraph generated from them, and the library's.

AutoGraph runs a converted copy of the user's function and raises a new exception on the way out, so the frames of one
failure are spread over a chain of exceptions. Here they are joined into one sequence, outermost first, in which each
frame of generated code carries the place in the user's file that it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any, Literal

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.location import Location
from tensorwhy.recording import locations, tracebacks
from tensorwhy.recording.locations import UserCode


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One frame. `location` is in the user's source, and None in a library."""

    frame: FrameType
    line: int
    kind: Literal["user", "converted", "library"]
    location: Location | None

    @property
    def name(self) -> str:
        """The function's name without leading underscores: TensorFlow adds and removes them between versions."""
        return self.frame.f_code.co_name.lstrip("_")

    @property
    def file(self) -> str:
        return self.frame.f_code.co_filename.replace("\\", "/")

    def local(self, name: str) -> Any:
        """A local variable of the frame; None when there is none."""
        return self.frame.f_locals.get(name)


class Passage:
    """The frames of a failure with questions about them."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self.steps = steps

    def find(self, function: str | tuple[str, ...], file: str = "") -> Iterator[tuple[int, Step]]:
        """Library frames of a function (its name without leading underscores), innermost first."""
        names = (function,) if isinstance(function, str) else function
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.kind == "library" and step.name in names and step.file.endswith(file):
                yield index, step

    def first(self, function: str | tuple[str, ...], file: str = "") -> tuple[int, Step] | None:
        """The innermost of `find`."""
        return next(self.find(function, file), None)

    def caller(self, index: int) -> Step | None:
        """The user's own or converted frame from which the frame at `index` was reached."""
        for step in reversed(self.steps[:index]):
            if step.location is not None:
                return step
        return None

    def innermost(self) -> Step | None:
        """The deepest frame of the user's code."""
        return self.caller(len(self.steps))

    def below(self, index: int) -> tuple[Step, ...]:
        """The user's frames that the frame at `index` called, outermost first."""
        return tuple(step for step in self.steps[index + 1 :] if step.location is not None)


def of(live: LiveFailure) -> Passage:
    """The joined frames of a failure."""
    return of_exceptions(live.exceptions, live.user)


def of_exceptions(exceptions: Iterable[BaseException], user: UserCode) -> Passage:
    """The joined frames of a chain of exceptions, the raised one first."""
    entries: list[TracebackType] = []
    seen: set[int] = set()
    chain = tuple(exceptions)
    for number, exception in enumerate(chain):
        for entry in tracebacks.entries(exception, chain[number + 1 :]):
            if id(entry.tb_frame) not in seen:
                seen.add(id(entry.tb_frame))
                entries.append(entry)
    origins = _origins(entry.tb_frame for entry in entries)
    return Passage(tuple(_step(entry, user, origins) for entry in entries))


def _step(entry: TracebackType, user: UserCode, origins: Callable[[str, int], Location | None]) -> Step:
    frame = entry.tb_frame
    file = frame.f_code.co_filename
    if "__autograph_generated_file" in file:
        return Step(frame=frame, line=entry.tb_lineno, kind="converted", location=origins(file, entry.tb_lineno))
    if user.owns(file):
        return Step(frame=frame, line=entry.tb_lineno, kind="user", location=locations.of_traceback(entry))
    return Step(frame=frame, line=entry.tb_lineno, kind="library", location=None)


def _origins(frames: Iterable[FrameType]) -> Callable[[str, int], Location | None]:
    """Where a line of generated code comes from, by the source maps that AutoGraph keeps on what it converted."""
    maps: list[dict[Any, Any]] = []
    for frame in frames:
        if frame.f_code.co_name.lstrip("_") in ("converted_call", "call_unconverted"):
            found = getattr(frame.f_locals.get("converted_f"), "ag_source_map", None)
            if isinstance(found, dict):
                maps.append(found)

    def origin(file: str, line: int) -> Location | None:
        for source_map in maps:
            for key, info in source_map.items():
                if key.lineno == line and key.filename == file:
                    at = info.loc.lineno + autograph.offset(source_map)
                    return Location(file=info.loc.filename, line=at, function=info.function_name or "<module>")
        return None

    return origin


def unwrapped(function: Any) -> Any:
    """The user's function inside what AutoGraph or a TensorFlow decorator made of it."""
    for _ in range(10):
        inner = None
        for attribute in ("ag_original", "__wrapped__", "_tf_decorator"):
            candidate = getattr(function, attribute, None)
            if attribute == "_tf_decorator":
                candidate = getattr(candidate, "decorated_target", None)
            if callable(candidate) and candidate is not function:
                inner = candidate
                break
        if inner is None:
            return function
        function = inner
    return function
