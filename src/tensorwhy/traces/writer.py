"""Writes one worker's trace while its program runs.

Each flush adds complete files and then replaces the manifest, so that a process that is killed leaves everything up to
its last flush. Flushes become rarer as a run goes on: a killed run loses a fiftieth of its time, ten minutes at most,
and even long runs leave some hundreds of files only. A flush holds up a step of the program, so it writes a bounded
number of rows, waits for no disk, and explains nothing.
"""

from __future__ import annotations

import datetime
import os
import socket
import threading
from collections import defaultdict
from time import monotonic  # the program may replace it in its module

import msgspec

from tensorwhy.model.report import Coverage, Environment, Program, Report
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces import columns, findings
from tensorwhy.traces.folder import Folder, is_remote, opened
from tensorwhy.traces.layout import DIAGNOSES, DIAGNOSIS_COLUMNS, MANIFEST, TABLES, Manifest, part
from tensorwhy.traces.observed import PREFIX, Form, Observing
from tensorwhy.traces.tables import encode
from tensorwhy.traces.texts import as_json
from tensorwhy.traces.worker import own_name

_SOONEST, _LATEST, _SHARE = 2.0, 600.0, 0.02
"""Seconds between flushes: at least, at most, and as a share of the time since the beginning."""
_MANY = 50_000
"""So many numbers in the journal are written without waiting."""
_ROWS = 10_000
"""So many events are written at once while the program runs."""
_REST = 10.0
"""For what is new, so many times as long as the last flush took, the program has to itself."""


class Writer:
    """One worker's folder. `begin`, then `step` and `flush` as often as wanted, then `flush(ended=True)`."""

    def __init__(self, path: str, program: Program, environment: Environment, version: str) -> None:
        self._path = path
        self._folder: Folder | None = None
        self._manifest = Manifest(
            tool_version=version,
            worker="",
            host=socket.gethostname(),
            pid=os.getpid(),
            started=_now(),
            time="",
            program=program,
            environment=environment,
        )
        self._begun = self._flushed = monotonic()
        self._took = 0.0
        self._written = 0
        self._observing = Observing()
        self._places: set[int] = set()
        self._variables: set[int] = set()
        self._questions = 0
        self._asked: set[int] = set()
        self._steps: list[tuple[int, Stepped]] = []
        self._numbers: dict[tuple[int, int], int] = defaultdict(int)
        self._lost: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._lasting = False
        self._operations = self._recorded_steps = self._all_steps = 0

    def begin(self) -> None:
        """Make the worker's folder, under a name that nobody has; `worker-0.2` is what was started after `worker-0`.

        Raises OSError where that cannot be.
        """
        folder, name = opened(self._path), own_name()
        folder.create()
        number = 1
        while not folder.at(name if number == 1 else f"{name}.{number}").create():
            number += 1
        name = name if number == 1 else f"{name}.{number}"
        self._folder = folder.at(name)
        self._manifest = msgspec.structs.replace(self._manifest, worker=name)
        self._put_manifest()

    def step(self, stepped: Stepped) -> None:
        """A gradient was asked for: the next step of its place and replica."""
        key = (stepped.place, stepped.replica)
        number = self._numbers[key] = self._numbers[key] + 1
        self._steps.append((number, stepped))
        self._all_steps += 1
        self._recorded_steps += stepped.recorded
        if stepped.lost:
            first, last = self._lost.get(stepped.place, (number, number))
            self._lost[stepped.place] = min(first, number), max(last, number)

    def warm_up(self) -> None:
        """Load what the first flush needs, now that the program is only starting."""
        if is_remote(self._path):
            return
        empty: columns.Columns = columns.steps(())
        encode(self._manifest.worker, TABLES["steps"], empty)

    def met(self, frameworks: dict[str, str]) -> None:
        """Frameworks that the program uses."""
        environment = self._manifest.environment
        environment = msgspec.structs.replace(environment, frameworks={**environment.frameworks, **frameworks})
        self._manifest = msgspec.structs.replace(self._manifest, environment=environment)

    def due(self, recorded: Recorded) -> bool:
        """Whether this is the time to flush: at the first step, for what is new to explain, and now and then."""
        since = monotonic() - self._flushed
        wait = min(max(_SOONEST, _SHARE * (self._flushed - self._begun)), _LATEST)
        return self._written == 0 or since > wait or (since > _REST * self._took and self._has_news(recorded))

    def _has_news(self, recorded: Recorded) -> bool:
        """Whether a question was asked at a place at which none was flushed before, or much is not told yet."""
        new = recorded.questions[self._questions :]
        many = recorded.journal.position - self._written > _MANY
        return many or self._observing.is_behind or any(question.place not in self._asked for question in new)

    def flush(
        self, recorded: Recorded | None, report: Report | None = None, ended: bool = False, whole: bool = False
    ) -> None:
        """Write what is new: `whole`, or some of it. `report` holds all that was found; None: nothing yet.

        Two threads of a program do not flush at the same time: the second goes on.
        """
        if self._lock.acquire(blocking=ended or whole):
            begun = monotonic()
            try:
                self._flush(recorded, report, ended, ended or whole)
            finally:
                self._flushed = monotonic()
                self._took = self._flushed - begun
                self._lock.release()

    def _flush(self, recorded: Recorded | None, report: Report | None, ended: bool, whole: bool) -> None:
        self._lasting = ended
        number = self._manifest.flushes + 1
        if recorded is not None:
            number = self._put_recorded(recorded, number, whole)
        if report is not None:
            self._put_diagnoses(report, recorded)
        known = self._manifest
        self._manifest = msgspec.structs.replace(
            known,
            flushes=number,
            steps=max(self._numbers.values(), default=0),
            ended=ended,
            program=known.program if report is None else report.program,
            environment=known.environment if report is None else report.environment,
            coverage=self._counted if report is None else report.coverage,
            variables=known.variables if report is None else findings.variables(report),
        )
        self._put_manifest()

    def _put_recorded(self, recorded: Recorded, number: int, whole: bool) -> int:
        journal, end = recorded.journal, recorded.journal.position
        steps = self._steps[:]
        asked = recorded.questions[self._questions :]
        variables = [v for handle, v in list(recorded.variables.items()) if handle not in self._variables]
        places = {step.place for _, step in steps} | {question.place for question in asked}
        forms: set[Form] = set()
        for index, rows in enumerate(
            columns.events(journal, self._written, end, recorded.dtypes, columns.ROWS if whole else _ROWS)
        ):
            number += index > 0
            places.update(rows.places)
            self._put("events", number, rows.columns)
            self._operations += rows.operations
            forms |= rows.forms
            if not whole:
                end = rows.end
                break
        places -= self._places | {-1}
        files = {frame.location.file for place in places for frame in journal.chain(place)}
        observed = self._observing.new(recorded, self._written, sorted(files), forms, whole)
        if observed is not None:
            self._put_file(f"{PREFIX}{number:06d}.json", as_json(observed))
        self._put("locations", number, columns.locations(journal, sorted(places)))
        self._put("variables", number, columns.variables(variables))
        self._put("questions", number, columns.questions(asked))
        self._put("steps", number, columns.steps(steps))
        del self._steps[: len(steps)]
        self._written = journal.unread = end
        self._places |= places
        self._variables.update(v.tensor for v in variables)
        self._questions += len(asked)
        self._asked.update(question.place for question in asked)
        return number

    @property
    def _counted(self) -> Coverage:
        return Coverage(recorded_ops=self._operations, steps=self._all_steps, steps_recorded=self._recorded_steps)

    def _put(self, table: str, number: int, given: columns.Columns) -> None:
        if len(next(iter(given.values()))):
            self._put_file(part(table, number), encode(self._manifest.worker, TABLES[table], given))

    def _put_diagnoses(self, report: Report, recorded: Recorded | None) -> None:
        steps: findings.Steps = {}
        if recorded is not None:
            at = ((recorded.journal.location(place), steps) for place, steps in self._lost.items())
            steps = {findings.place_of(location): steps for location, steps in at if location is not None}
        rows = findings.rows(report, steps)
        self._put_file(DIAGNOSES, encode(self._manifest.worker, DIAGNOSIS_COLUMNS, rows))

    def _put_manifest(self) -> None:
        self._manifest = msgspec.structs.replace(self._manifest, time=_now())
        self._put_file(MANIFEST, msgspec.json.format(as_json(self._manifest), indent=1))

    def _put_file(self, name: str, data: bytes) -> None:
        assert self._folder is not None, "begin() was not called"
        self._folder.put(name, data, self._lasting)


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="microseconds")
