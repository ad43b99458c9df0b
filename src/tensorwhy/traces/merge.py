"""What all workers found, as one report: the same finding of several is one, and says whose it is."""

from __future__ import annotations

import importlib.resources
import itertools
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tensorwhy.model.report import Coverage, Diagnosis, Report, VariableView, WorkerView
from tensorwhy.traces import findings
from tensorwhy.traces.findings import Steps
from tensorwhy.traces.layout import Manifest
from tensorwhy.traces.reader import BadTrace, Worker
from tensorwhy.traces.tables import Room

ASKED = (
    *("worker", "finding", "gravity", "code", "file", "line", "seen", "first_step", "last_step"),
    *("together", "document", "excerpts"),
)
"""The columns of diagnoses that the aggregation reads."""
_NAMED = 8
_FINDINGS, _TEXT = 2000, 32 << 20
"""Findings of one report, and the characters of all of them."""
_SEEN = 1 << 40


def query() -> str:
    """The aggregation, as SQL."""
    return importlib.resources.files(__package__).joinpath("merge.sql").read_text(encoding="utf-8")


class Finding(msgspec.Struct, frozen=True):
    """One row of the aggregation. `names` are those of the workers that met it, separated by commas."""

    finding: str
    gravity: int
    speaker: str
    together: str
    document: str
    excerpts: str
    workers: int
    names: str
    seen: int
    first_step: int | None
    latest_first_step: int | None
    last_step: int | None


Explain = Callable[[Worker], "tuple[Report, Steps] | None"]


def report(workers: Sequence[Worker], tool_version: str, explain: Explain = lambda worker: None) -> Report:
    """One report of all workers. `explain` tells of those that did not come to explain themselves. Raises BadTrace."""
    rows: list[tuple[Any, ...]] = []
    room = Room()
    known: list[Worker] = []
    for worker in workers:
        columns: Mapping[str, Any] = worker.diagnoses(*ASKED, room=room)
        told = None if columns or worker.manifest.ended else explain(worker)
        if told is not None:
            columns = {**findings.rows(*told), "worker": [worker.manifest.worker] * len(told[0].diagnoses)}
            manifest = msgspec.structs.replace(worker.manifest, coverage=told[0].coverage)
            worker = msgspec.structs.replace(worker, manifest=manifest)
        elif not columns and not worker.manifest.ended:
            worker = msgspec.structs.replace(worker, manifest=_unexplained(worker.manifest))
        known.append(worker)
        if columns:
            rows += zip(*(columns[name] for name in ASKED))
    try:
        found = merged(rows)
    except (sqlite3.Error, msgspec.ValidationError) as error:
        raise BadTrace(f"the findings of the workers cannot be merged ({error})") from None
    left_out = len(found) - len(_readable(found))
    found = _readable(found)
    ids = {each.finding: f"d{number}" for number, each in enumerate(found, start=1)}
    manifests = [worker.manifest for worker in known]
    first = manifests[0]
    excerpts: dict[str, dict[int, str]] = {}
    diagnoses = []
    for each in found:
        diagnoses.append(_diagnosis(each, ids, len(workers)))
        for file, lines in _decoded(each.excerpts, dict[str, dict[int, str]], each).items():
            excerpts.setdefault(file, {}).update(lines)
    return Report(
        tool_version=tool_version,
        program=msgspec.structs.replace(first.program, exit_code=max(m.program.exit_code for m in manifests)),
        environment=first.environment,
        diagnoses=tuple(diagnoses),
        variables=_variables(manifests, ids),
        coverage=_coverage(manifests, room.left_out, left_out),
        excerpts=excerpts,
        workers=tuple(
            WorkerView(name=m.worker, steps=m.steps, recorded_ops=m.coverage.recorded_ops, ended=m.ended)
            for m in (worker.manifest for worker in workers)
        ),
    )


def merged(rows: Iterable[tuple[Any, ...]]) -> list[Finding]:
    """The rows of `query()` over rows of diagnoses, each in the order of ASKED. SQLite runs it."""
    names = ", ".join(f'"{name}"' for name in ASKED)
    marks = ", ".join("?" * len(ASKED))
    database = sqlite3.connect(":memory:")
    try:
        database.execute(f"CREATE TABLE diagnoses ({names})")
        at = ASKED.index("seen")
        bounded = ((*row[:at], max(min(row[at], _SEEN), 0), *row[at + 1 :]) for row in rows)  # their sum is a number
        database.executemany(f"INSERT INTO diagnoses VALUES ({marks})", bounded)
        return [msgspec.convert(row, Finding, strict=False) for row in map(_fields, database.execute(query()))]
    finally:
        database.close()


def _fields(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(Finding.__struct_fields__, row))


def _variables(manifests: Sequence[Manifest], ids: dict[str, str]) -> tuple[VariableView, ...]:
    """Workers that train together hold the same variables: of each, the view of the worker that saw most steps."""
    best: dict[tuple[str, str], VariableView] = {}
    told: dict[tuple[str, str], dict[str, None]] = {}
    for manifest in manifests:
        for each in manifest.variables:
            key = each.layer, each.name
            told.setdefault(key, {}).update(dict.fromkeys(ids[one] for one in each.diagnoses if one in ids))
            if key not in best or len(each.steps) > len(best[key].steps):
                best[key] = each
    return tuple(msgspec.structs.replace(each, diagnoses=tuple(told[key])) for key, each in best.items())


def _diagnosis(found: Finding, ids: dict[str, str], workers: int) -> Diagnosis:
    told: Diagnosis = _decoded(found.document, Diagnosis, found)
    names = tuple(sorted(found.names.split(",")))
    notes = list(told.notes)
    if len(names) < workers:
        notes.append(f"found by {_list(names)} only, of {workers} workers")
    elif workers > 1:
        notes.append("found by both workers" if workers == 2 else f"found by all {workers} workers")
    if found.first_step is not None and found.last_step is not None:
        notes.append(_steps(found, found.first_step, found.last_step))
    together = tuple(dict.fromkeys(ids[other] for other in found.together.split(",") if other in ids))
    return msgspec.structs.replace(
        told,
        id=ids[found.finding],
        seen=found.seen,
        notes=tuple(notes),
        together_with=together,
        workers=names if workers > 1 else (),
    )


def _steps(found: Finding, first: int, last: int) -> str:
    if first == last:
        return f"the gradient was None in step {first} of this call"
    later = found.latest_first_step
    since = (
        f"step {first}"
        if later in (None, first)
        else f"step {first} (in some workers, from step {later} at the latest)"
    )
    return f"the gradient was None from {since} to step {last} of this call"


def _decoded(text: str, kind: Any, found: Finding) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadTrace(
            f"{found.speaker}: its record of finding {found.finding[:40]!r} is damaged ({error}); "
            "remove that worker's folder to read the others"
        ) from None


def _unexplained(manifest: Manifest) -> Manifest:
    """Of a worker whose steps nobody looked at: they are no steps in which nothing was found."""
    coverage = manifest.coverage
    if not coverage.steps_recorded:
        return manifest
    told = f"what {manifest.worker} lost is unknown: it did not end, and its trace alone cannot explain it"
    unobserved = (*coverage.unobserved, told)
    return msgspec.structs.replace(manifest, coverage=Coverage(steps=coverage.steps, unobserved=unobserved))


def _readable(found: list[Finding]) -> list[Finding]:
    """The gravest findings, as many as can be held at once."""
    sizes = itertools.accumulate(len(each.document) + len(each.excerpts) for each in found)
    return [each for each, size in zip(found[:_FINDINGS], sizes) if size <= _TEXT]


def _coverage(manifests: Sequence[Manifest], rows: int, findings: int) -> Coverage:
    said: dict[str, list[str]] = {}
    for each in manifests:
        for sentence in each.coverage.unobserved:
            said.setdefault(sentence, []).append(each.worker)
    unobserved = [
        sentence if len(names) == len(manifests) else f"{sentence} ({_list(names)})" for sentence, names in said.items()
    ]
    cut = [each for each in manifests if not each.ended]
    if cut:
        until = f"up to step {cut[0].steps}" if len(cut) == 1 else f"up to steps {_range(m.steps for m in cut)}"
        unobserved.append(
            f"{_list([m.worker for m in cut])} did not end (killed, or still running): this data was written "
            f"{until}; silent problems are only searched for at the end of a run"
        )
    if rows:
        unobserved.append(f"{rows:,} rows of the trace were not read, because one report cannot hold more")
    if findings:
        unobserved.append(f"{findings:,} findings were omitted, because one report cannot hold more")
    return Coverage(
        recorded_ops=sum(each.coverage.recorded_ops for each in manifests),
        steps=max(each.coverage.steps for each in manifests),
        steps_recorded=max(each.coverage.steps_recorded for each in manifests),
        unobserved=tuple(unobserved),
    )


def _range(numbers: Iterable[int]) -> str:
    known = sorted(numbers)
    return str(known[0]) if known[0] == known[-1] else f"{known[0]} to {known[-1]}"


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
