"""A trace as the pipeline sees it: it starts with the program, is told of steps, and ends with the report.

A trace that cannot be written ends there; what the caller's bulkhead learns of it is in the report.
"""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.model.report import Environment, Program, Report
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces.writer import Writer


class Tracing:
    """Writes while `alive`. Each method that writes may raise anything, and writes nothing more after that."""

    def __init__(self, path: str, program: Program, environment: Environment, version: str) -> None:
        self.alive = True
        self._writer = Writer(path, program, environment, version)

    def begin(self) -> None:
        """Make the worker's folder. Nothing is imported for it but what its kind of path needs."""
        self._guarded(self._writer.begin)

    def step(self, stepped: Stepped, recorded: Callable[[], Recorded], explain: Callable[[], Report]) -> None:
        """Take a step into account, and flush if it is time; `explain` is asked when there is something new to say."""

        def take() -> None:
            self._writer.step(stepped)
            known = recorded()
            if self._writer.due(known):
                self._writer.flush(known, explain() if self._writer.asks_anew(known) else None)

        self._guarded(take)

    def end(self, recorded: Recorded | None, report: Report) -> None:
        """Write what is left, and the last word."""
        self._guarded(lambda: self._writer.flush(recorded, report, ended=True))
        self.alive = False

    def _guarded(self, write: Callable[[], None]) -> None:
        if not self.alive:
            return
        try:
            write()
        except BaseException:
            self.alive = False
            raise
