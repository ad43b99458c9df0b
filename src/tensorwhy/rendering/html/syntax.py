"""Colours single lines of Python. An excerpt is not a program, so this is a scanner of tokens and never fails."""

from __future__ import annotations

import keyword
import re

_TOKEN = re.compile(
    r"""(?P<comment>\#.*)
    |(?P<string>(?<!\w)[rRbBfFuU]{0,2}(?:'{3}.*?(?:'{3}|$)|"{3}.*?(?:"{3}|$)|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))
    |(?P<number>(?<!\w)(?:0[xXbBoO][0-9a-fA-F_]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?j?)(?!\w))
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE,
)
_LONGEST = 2000  # characters of a line that are coloured; generated lines can be longer than a scan is worth


def tokens(text: str) -> list[tuple[int, int, str]]:
    """`(start, end, kind)` of each comment, string, number and keyword of a line."""
    found = []
    for match in _TOKEN.finditer(text[:_LONGEST]):
        kind = match.lastgroup or ""
        if kind == "word":
            if not keyword.iskeyword(match.group()):
                continue
            kind = "keyword"
        found.append((match.start(), match.end(), kind))
    return found
