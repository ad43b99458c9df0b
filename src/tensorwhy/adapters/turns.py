"""To look at thousands of values takes a while, and no step is held up for long: each looks at some of them."""

from __future__ import annotations

MOST = 512
"""So many values are looked at in one call."""


def parts(of: int) -> int:
    """In how many calls that many values are looked at once."""
    return max(-(-of // MOST), 1)


def turn(count: int, of: int) -> tuple[int, range]:
    """Return which look at all values a call belongs to, and the positions of those that it looks at.

    Both `count` and the looks are counted from 1. The positions are spread evenly, as neighbors are alike.
    """
    number, part = divmod(count - 1, parts(of))
    return number + 1, range(part, of, parts(of))


def said(of: int) -> str:
    """What was not looked at, of so many variables."""
    return f"of {of} variables, each step looked at {MOST}, in turn"
