"""Takes the frames of our own hooks out of an exception's traceback before anybody shows it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType


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
        waiting += [each.__cause__, each.__context__]


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
