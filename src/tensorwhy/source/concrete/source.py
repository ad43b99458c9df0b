"""The text of a file: where its lines begin, and what stands around a place."""

from __future__ import annotations

import bisect


class Source:
    """The text of a file, and where its lines begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        for line in text.split("\n"):  # Python ends no line at a form feed
            self.starts.append(self.starts[-1] + len(line) + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line, from 1, and column, from 0."""
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1]

    def beginning(self, offset: int) -> int:
        """Where the line of a place begins."""
        return self.starts[bisect.bisect_right(self.starts, offset) - 1]


def opened(text: str, start: int) -> int:
    """The place of the parenthesis that nothing but white space and comments parts from a place behind it; or -1."""
    at = start - 1
    while at >= 0 and text[at] in " \t\n\f\\":
        at -= 1
    if at < 0 or text[at] == "(" or "\n" not in text[at:start]:
        return at if at >= 0 and text[at] == "(" else -1
    while at >= 0:  # perhaps the end of a comment
        line = text.rfind("\n", 0, at) + 1
        sign = text.find("#", line, at + 1)
        if sign < 0:
            return -1
        at = sign - 1
        while at >= line and text[at] in " \t\f":
            at -= 1
        if at >= line:
            return at if text[at] == "(" else -1
        at -= 1
        while at >= 0 and text[at] in " \t\n\f":
            at -= 1
        if at >= 0 and text[at] == "(":
            return at
    return -1


def closed(text: str, end: int) -> int:
    """The place of the parenthesis that nothing but white space and comments parts from a place before it; or -1."""
    size = len(text)
    while end < size:
        sign = text[end]
        if sign == "#":
            end = text.find("\n", end) % (size + 1)
        elif sign in " \t\n\f\\":
            end += 1
        else:
            return end if sign == ")" else -1
    return -1
