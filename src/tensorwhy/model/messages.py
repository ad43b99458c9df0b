"""What the message of an exception says, without what Keras puts around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CALLED = re.compile(r"Exception encountered when calling \S")
_COLOR = re.compile(r"\x1b\[[0-9;]*m")


def without_colors(text: str) -> str:
    """The text without the escape codes of colors: Keras makes some of its words bold."""
    return _COLOR.sub("", text)


def told(lines: Sequence[str], at: int) -> str:
    """One line of it. Where Keras names the layer that was called, what happened is the next one, made bold."""
    if at + 1 < len(lines) and _CALLED.search(lines[at]):
        return f"{lines[at].partition(':')[0].strip()}: {without_colors(lines[at + 1]).strip()}"
    return lines[at].strip()


def counted(number: int, noun: str) -> str:
    """A number of things, for people."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
