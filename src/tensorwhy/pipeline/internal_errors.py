"""What an observation could not do or see: failures of our own end here, and become lines of the report."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class InternalErrors:
    """Lines that say what was lost, each of them once, in the order in which they came."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}

    @contextlib.contextmanager
    def bulkhead(self, what: str) -> Iterator[None]:
        """A failure inside costs what is done inside, and nothing else."""
        try:
            yield
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            self._lines[f"{what} failed: {reason}{_own_line(error.__traceback__)}"] = None

    def add(self, lines: Iterable[str]) -> None:
        """Note what somebody else lost."""
        self._lines.update(dict.fromkeys(lines))

    def lines(self, about: str = "") -> tuple[str, ...]:
        """All of them, or those that begin with these words."""
        return tuple(line for line in self._lines if line.startswith(about))


def _own_line(tb: TracebackType | None) -> str:
    """Where in tensorwhy the failure happened, for the report that a user sends us."""
    where = ""
    while tb is not None:
        file = tb.tb_frame.f_code.co_filename
        if file.startswith(_PACKAGE):
            where = f" ({os.path.relpath(file, _PACKAGE)}:{tb.tb_lineno})"
        tb = tb.tb_next
    return where
