"""Takes the frames of our own hooks out of an exception's traceback before anybody shows it."""

from __future__ import annotations

from collections.abc import Collection
from types import TracebackType


def unlink(exception: BaseException, hidden: Collection[str]) -> None:
    """Remove the entries of these files from the exception and everything that it was raised from."""
    waiting: list[BaseException | None] = [exception]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.__traceback__ = _without(each.__traceback__, hidden)
        waiting += [each.__cause__, each.__context__]


def _without(tb: TracebackType | None, hidden: Collection[str]) -> TracebackType | None:
    while tb is not None and tb.tb_frame.f_code.co_filename in hidden:
        tb = tb.tb_next
    entry = tb
    while entry is not None:
        following = entry.tb_next
        while following is not None and following.tb_frame.f_code.co_filename in hidden:
            following = following.tb_next
        if following is not entry.tb_next:
            entry.tb_next = following
        entry = following
    return tb
