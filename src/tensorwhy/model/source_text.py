"""The lines of source files as `linecache` knows them, without waiting: any code may say that it comes from a pipe."""

from __future__ import annotations

import linecache
import os
import stat

_LARGEST = 64 << 20
"""Bytes of a file that is read for its lines."""


def lines(file: str) -> list[str]:
    """The lines of a file, with their line ends; empty when it cannot be read. Cells and the like have lines, too."""
    if file not in linecache.cache and not _readable(file):
        return []
    return linecache.getlines(file)


def line(file: str, number: int) -> str:
    """One line (1-based) with its line end; empty when there is none."""
    found = lines(file)
    return found[number - 1] if 1 <= number <= len(found) else ""


def code_points(text: str, column: int) -> int:
    """A column of a line in code points, as locations count them; Python's syntax trees count UTF-8 bytes."""
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def _readable(file: str) -> bool:
    """Return whether it is a regular file of some size, or a name that only `linecache` may know."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return True
    return stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST
