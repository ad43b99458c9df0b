"""What long work is at: one line on a terminal, gone when the work is done; elsewhere a line now and then, for logs.

The one on a terminal is drawn when there is something to say, by whoever says it: a thread of its own could not start
while the interpreter is being taken down, which is when programs are explained.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tensorwhy.model.plain_text import one_line

if TYPE_CHECKING:
    from rich.live import Live

_PATIENCE = 0.4
"""What is quick needs no word."""


class Progress:
    """Call it with what is being done now; `close` clears the line. Seconds of `patience` pass before the first."""

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        self._shown = _on_terminal()
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

        line = Text(one_line(f"tensorwhy: {doing}"), style="dim", no_wrap=True, overflow="ellipsis")
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


class Log:
    """For output that goes to a file: says what is being done after a while, then less and less often."""

    def __init__(self, pauses: Sequence[float] = (5, 10, 20, 30, 60)) -> None:
        self._pauses = pauses
        self._doing = ""
        self._since = 0.0
        self._ended: threading.Event | None = None

    def __call__(self, doing: str) -> None:
        """Note what is being done now."""
        self._doing = doing
        if self._ended is None:
            self._since = time.monotonic()
            self._ended = threading.Event()
            threading.Thread(target=self._tell, args=(self._ended,), daemon=True).start()

    def _tell(self, ended: threading.Event) -> None:
        count = 0
        while not ended.wait(self._pauses[min(count, len(self._pauses) - 1)]):
            count += 1
            stream = sys.__stderr__
            if stream is not None and not stream.closed:
                seconds = time.monotonic() - self._since
                print(f"tensorwhy: {self._doing} ({seconds:.0f} s so far)", file=stream, flush=True)

    def close(self) -> None:
        """Say nothing more."""
        if self._ended is not None:
            self._ended.set()
            self._ended = None


def long_work() -> Progress | Log:
    """Return what tells of work that takes many seconds, wherever its output goes."""
    return Progress(patience=0.0) if _on_terminal() else Log()


def _on_terminal() -> bool:
    stream = sys.__stderr__
    return stream is not None and not stream.closed and stream.isatty() and os.environ.get("TERM") != "dumb"
