"""A trace as the pipeline sees it: it starts with the program, follows a session, and ends with the report.

A trace that cannot be written ends there: `guard`, the caller's bulkhead, learns why.
"""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable
from contextlib import AbstractContextManager

import msgspec

from tensorwhy.model.report import Environment, Program, Report
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces.writer import Writer


class Tracing:
    """Writes while `alive`, and in the process that began it only."""

    def __init__(
        self,
        path: str,
        program: str,
        argv: tuple[str, ...],
        version: str,
        guard: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.alive = True
        self._pid = os.getpid()
        self._guard = guard
        self._recorded: Callable[[], Recorded] | None = None
        environment = Environment(python=platform.python_version())
        self._writer = Writer(path, Program(path=program, argv=argv), environment, version)

    def begin(self) -> None:
        """Make the worker's folder. Nothing is imported for it but what its kind of path needs."""
        self._guarded(self._writer.begin)

    def follow(
        self,
        recorded: Callable[[], Recorded],
        tell_steps: Callable[[Callable[[Stepped], None]], None],
        frameworks: dict[str, str],
    ) -> None:
        """Write what this session records, a little at a time. It is explained at the end, or by whoever reads it."""

        def step(stepped: Stepped) -> None:
            self._writer.step(stepped)
            known = recorded()
            if self._writer.due(known):
                self._writer.flush(known)

        self._recorded = recorded
        self._writer.met(frameworks)
        self._guarded(self._writer.warm_up)
        # An import leaves so much behind that a collection follows, which would hold up one of the first steps.
        gc.collect()
        tell_steps(lambda stepped: self._guarded(lambda: step(stepped)))

    def save(self) -> None:
        """Write all that was recorded, before anything takes time: who is killed from now on loses nothing of it."""
        known = self._recorded and self._recorded()
        if known is not None:
            self._guarded(lambda: self._writer.flush(known, whole=True))

    def end(self, report: Report, failures: Callable[[], tuple[str, ...]]) -> Report:
        """The trace's last word is the report; the report's last word is why the trace could not be written, if so."""
        self._guarded(lambda: self._writer.flush(self._recorded and self._recorded(), report, ended=True))
        self.alive = False
        unobserved = tuple(dict.fromkeys((*report.coverage.unobserved, *failures())))
        coverage = msgspec.structs.replace(report.coverage, unobserved=unobserved)
        return msgspec.structs.replace(report, coverage=coverage)

    def _guarded(self, write: Callable[[], None]) -> None:
        if self.alive and os.getpid() == self._pid:
            with self._guard():
                try:
                    write()
                except Exception:  # an interrupt is no failure: the next flush writes the same again
                    self.alive = False
                    raise
