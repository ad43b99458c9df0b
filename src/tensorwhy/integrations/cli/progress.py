"""One line on a terminal that says what long work is at; gone when the work is done. Nothing where nobody looks.

It is drawn when there is something to say, by whoever says it: a thread of its own could not start while the
interpreter is being taken down, which is when programs are explained.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live

_PATIENCE = 0.4
"""What is quick needs no word."""


class Progress:
    """Call it with what is being done now; `close` clears the line. Seconds of `patience` pass before the first."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        stream = sys.__stderr__
        self._shown = stream is not None and not stream.closed and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._since = 0.0
        self._live: Live | None = None

    def __call__(self, doing: str) -> None:
        """Show this, from the moment on when the work has taken a while."""
        if not self._shown:
            return
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since < self._patience:
            return
        from rich.text import Text

        line = Text(f"tensorwhy: {doing}", style="dim", no_wrap=True, overflow="ellipsis")
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(file=sys.__stderr__, no_color=bool(os.environ.get("NO_COLOR")) or None)
            self._live = Live(line, console=console, auto_refresh=False, transient=True, redirect_stdout=False)
            self._live.start(refresh=True)
        else:
            self._live.update(line, refresh=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._since = 0.0
