"""How places are written."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tensorwhy.model.location import Location
from tensorwhy.model.report import RuledOut, Unread


def shown(file: str, base: str) -> str:
    """The file relative to `base` when it lies below it, else as it is."""
    if base and os.path.isabs(file):
        folder = base.rstrip(os.sep) + os.sep
        if file.startswith(folder):
            return file[len(folder) :]
    return file


def place(location: Location, base: str) -> str:
    """`file:line:column` as editors read it: both counted from one."""
    column = "" if location.column is None else f":{location.column + 1}"
    return f"{shown(location.file, base)}:{location.line}{column}"


def unread(file: Unread, base: str) -> str:
    """Why a file could not be read."""
    where = "" if file.line is None else f" (line {file.line})"
    return f"{shown(file.file, base)} could not be read: {file.reason}{where}"


def told(text: str, base: str) -> str:
    """A sentence that may begin with the name of a file."""
    return text.removeprefix(base.rstrip(os.sep) + os.sep) if base else text


def ruled_out(found: Sequence[RuledOut]) -> str:
    """What was tried and makes no difference, in one phrase: `the slice (line 12), the optimizer`."""
    return ", ".join(f"{each.what} (line {each.location.line})" if each.location else each.what for each in found)
