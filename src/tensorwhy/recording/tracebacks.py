"""Keeps the frames that a framework cuts out of a traceback.

TensorFlow and Keras re-raise every exception with a traceback without their own frames, and with them go the objects
that explain the failure: the declared signature of a `map_fn`, the loop variables of a `while_loop`, the graph that was
being traced. Their filters are functions of one name in a few modules. While a filter runs, the unfiltered traceback is
noted on the exception itself, so it lives exactly as long as the exception does, and costs nothing before a failure.
What the user sees of the traceback does not change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType, TracebackType
from typing import Any

from tensorwhy.recording.locations import is_hook
from tensorwhy.recording.unlinking import without

_ATTRIBUTE = "__tensorwhy_unfiltered__"
_FILTER = "_process_traceback_frames"


class _Unfiltered:
    """The tracebacks of one exception as they were before each filter, innermost filter first."""

    __slots__ = ("tracebacks",)

    def __init__(self) -> None:
        self.tracebacks: list[TracebackType] = []

    def __reduce__(self) -> tuple[type[_Unfiltered], tuple[()]]:
        """An exception is sometimes pickled or copied with all its attributes; a traceback cannot be."""
        return (_Unfiltered, ())


def keep(modules: Iterable[str]) -> Callable[[], None]:
    """Listen to the filters in these modules, as far as they are imported by now. Returns what undoes it."""
    undo = [_wrap(module) for name in modules if (module := sys.modules.get(name)) is not None]

    def uninstall() -> None:
        for each in undo:
            each()

    return uninstall


def _wrap(module: ModuleType) -> Callable[[], None]:
    original: Any = getattr(module, _FILTER, None)
    if original is None or getattr(original, "__tensorwhy__", False):
        return lambda: None

    def remembering(tb: TracebackType | None) -> Any:
        _remember(sys.exc_info()[1], tb)
        # The filter decides by the innermost frame: without us that would not be a hook of ours.
        return original(without(tb, is_hook))

    remembering.__tensorwhy__ = True  # type: ignore[attr-defined]
    setattr(module, _FILTER, remembering)

    def undo() -> None:
        if getattr(module, _FILTER, None) is remembering:
            setattr(module, _FILTER, original)

    return undo


def _remember(exception: BaseException | None, tb: TracebackType | None) -> None:
    if exception is None or tb is None or exception.__traceback__ is not tb:
        return
    try:
        kept = exception.__dict__.setdefault(_ATTRIBUTE, _Unfiltered())
    except AttributeError:  # an exception class with __slots__
        return
    kept.tracebacks.append(tb)


def entries(exception: BaseException, chained: Iterable[BaseException] = ()) -> Iterator[TracebackType]:
    """One traceback entry for each frame that the exception passed, outermost first, filtered ones included.

    Each filter saw the frames between itself and the next filter inside it, whole, and the rest as that one had left
    it. So the walk follows each traceback until it meets the first frame of the next inner one. `chained` are the
    causes and contexts: a traceback that was handed on from one of them was filtered while it was still theirs.
    """
    inner = [tb for each in (*reversed(tuple(chained)), exception) for tb in _unfiltered(each)]
    seen: set[int] = set()
    current: TracebackType | None = exception.__traceback__
    while current is not None:
        for position in range(len(inner) - 1, -1, -1):
            # The frame of a filter's own handler: the traceback that it was given starts here.
            if inner[position].tb_frame is current.tb_frame:
                current, inner = inner[position], inner[:position]
                break
        if id(current.tb_frame) not in seen:
            seen.add(id(current.tb_frame))
            yield current
        current = current.tb_next


def _unfiltered(exception: BaseException) -> list[TracebackType]:
    kept = getattr(exception, "__dict__", {}).get(_ATTRIBUTE)
    return kept.tracebacks if kept is not None else []
