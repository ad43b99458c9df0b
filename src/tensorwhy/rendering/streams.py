"""What a standard stream can show (its width, colours, characters beyond ASCII, links), and one that nobody reads."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from tensorwhy import rendering


def options(
    stream: TextIO, base: str, rules: tuple[rendering.Rule, ...] = (), verbose: bool = False
) -> rendering.Options:
    """How to render for this stream."""
    terminal = stream.isatty()
    return rendering.Options(
        width=min(shutil.get_terminal_size().columns, 120) if terminal else _columns(),
        color=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        unicode=_encodes(stream),
        links=terminal and os.environ.get("TERM") != "linux",
        base=base,
        rules=rules,
        verbose=verbose,
    )


def let_go_of_output() -> None:
    """Nobody reads standard output any more: what Python still holds for it would fail at exit once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _columns() -> int:
    """Output that is not a terminal: the width that people set, else wide enough not to wrap logs needlessly."""
    value = os.environ.get("COLUMNS", "")
    return max(int(value), 20) if value.isdecimal() and int(value) else 100


def _encodes(stream: TextIO) -> bool:
    try:
        "`…→é`".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
