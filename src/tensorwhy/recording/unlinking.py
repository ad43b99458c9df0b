"""Takes the frames of our own hooks out of tracebacks before anybody shows them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any


def unlink(exception: BaseException, hidden: Callable[[str], bool]) -> None:
    """Remove the entries of hidden files from the exception and everything that it was raised from."""
    waiting: list[BaseException | None] = [exception]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.__traceback__ = without(each.__traceback__, hidden)
        waiting += [each.__cause__, each.__context__, *_members(each)]


def _members(exception: BaseException) -> Iterable[BaseException]:
    """The exceptions of a group, which Python has from 3.11 on, and a package for older ones."""
    members = getattr(exception, "exceptions", ())
    return (each for each in members if isinstance(each, BaseException)) if isinstance(members, (tuple, list)) else ()


def leave_out(hidden: Callable[[str], bool]) -> Callable[[], None]:
    """Have `traceback` leave out entries of hidden files, also of exceptions that the program handles itself.

    All that it formats comes through the functions that walk. Returns what undoes it.
    """
    undo = [_filter(name, hidden) for name in ("walk_tb", "_walk_tb_with_full_positions", "walk_stack")]

    def uninstall() -> None:
        for each in reversed(undo):
            each()

    return uninstall


def _filter(name: str, hidden: Callable[[str], bool]) -> Callable[[], None]:
    walk: Any = getattr(traceback, name, None)
    if walk is None:
        return lambda: None

    def filtered(start: Any) -> Any:
        if start is None:  # then `walk_stack` counts frames up from itself
            return walk(start)
        return (each for each in walk(start) if not hidden(each[0].f_code.co_filename))

    filtered.__name__, filtered.__qualname__, filtered.__doc__ = name, name, walk.__doc__
    setattr(traceback, name, filtered)

    def undo() -> None:
        if getattr(traceback, name) is filtered:
            setattr(traceback, name, walk)

    return undo


def without(tb: TracebackType | None, hidden: Callable[[str], bool]) -> TracebackType | None:
    """The traceback with the entries of hidden files taken out, in place; a new head where the head was hidden."""
    while tb is not None and hidden(tb.tb_frame.f_code.co_filename):
        tb = tb.tb_next
    entry = tb
    while entry is not None:
        following = entry.tb_next
        while following is not None and hidden(following.tb_frame.f_code.co_filename):
            following = following.tb_next
        if following is not entry.tb_next:
            entry.tb_next = following
        entry = following
    return tb
