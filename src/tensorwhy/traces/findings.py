"""Diagnoses as rows: what makes two workers' findings the same one, and what is said of each."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping

import msgspec

from tensorwhy.model.location import Location
from tensorwhy.model.plain_text import encodable
from tensorwhy.model.report import Diagnosis, Report, VariableView
from tensorwhy.traces.layout import DIAGNOSIS_COLUMNS
from tensorwhy.traces.tables import Column
from tensorwhy.traces.texts import as_json

GRAVITY = {"error": 0, "warning": 1, "note": 2}

Place = tuple[str, int, int | None]
Steps = Mapping[Place, tuple[int, int]]
"""File, line and column of a gradient call -> its first and last step whose answer held a None."""


def place_of(location: Location) -> Place:
    """The key of a location in `Steps`."""
    return location.file, location.line, location.column


def rows(report: Report, steps: Steps) -> dict[str, Column]:
    """The columns of the table of diagnoses, without the worker's name."""
    keys = _keys(report)
    columns: dict[str, list[object]] = {name: [] for name in DIAGNOSIS_COLUMNS if name != "worker"}
    for diagnosis in report.diagnoses:
        at = diagnosis.primary
        asked = diagnosis.symptom.location
        first, last = steps.get(place_of(asked), (None, None)) if asked is not None else (None, None)
        row = {
            "id": diagnosis.id,
            "finding": keys[diagnosis.id],
            "code": diagnosis.code,
            "slug": diagnosis.slug,
            "family": diagnosis.family,
            "severity": diagnosis.severity,
            "gravity": GRAVITY[diagnosis.severity],
            "certainty": diagnosis.certainty,
            "message": diagnosis.message,
            "file": None if at is None else at.file,
            "line": None if at is None else at.line,
            "column": None if at is None else at.column,
            "function": None if at is None else at.function,
            "seen": diagnosis.seen,
            "first_step": first,
            "last_step": last,
            "together": ",".join(keys[other] for other in diagnosis.together_with if other in keys),
            "document": as_json(diagnosis).decode(),
            "excerpts": as_json(_excerpts(report, diagnosis)).decode(),
        }
        for name, value in row.items():
            columns[name].append(value)
    return dict(columns)


def variables(report: Report) -> tuple[VariableView, ...]:
    """How the variables fared; what is said of each is named by its finding, which is the same in all workers."""
    keys = _keys(report)
    return tuple(
        msgspec.structs.replace(each, diagnoses=tuple(keys[told] for told in each.diagnoses if told in keys))
        for each in report.variables
    )


def _keys(report: Report) -> dict[str, str]:
    """Diagnosis id -> finding: the same code at the same place for the same symptom, in whichever process.

    Files count relative to the program's folder, because hosts keep it in different places. Names of tensors do not
    count, because frameworks number them in the order of their making. What one process says twice stays two.
    """
    base = os.path.dirname(os.path.abspath(report.program.path)) if report.program.path else ""
    met: Counter[str] = Counter()
    keys = {}
    for diagnosis in report.diagnoses:
        parts = (diagnosis.code, diagnosis.symptom.kind, *_words(diagnosis.primary, base))
        parts += _words(diagnosis.symptom.location, base)
        digest = hashlib.sha256(encodable("\0".join(parts)).encode()).hexdigest()[:16]
        met[digest] += 1
        keys[diagnosis.id] = digest if met[digest] == 1 else f"{digest}-{met[digest]}"
    return keys


def _words(at: Location | None, base: str) -> tuple[str, ...]:
    if at is None:
        return ("",)
    file = os.path.relpath(at.file, base) if base and at.file.startswith(base + os.sep) else at.file
    return file.replace(os.sep, "/"), str(at.line), str(at.column), at.function


def _excerpts(report: Report, diagnosis: Diagnosis) -> dict[str, dict[int, str]]:
    """The source lines that this diagnosis can show: those of the files it points into, around where it points."""
    places = [diagnosis.primary, *diagnosis.related, diagnosis.symptom.location]
    near: dict[str, set[int]] = {}
    for at in places:
        if at is not None:
            lines = range(at.line - _AROUND, (at.end_line or at.line) + _AROUND + 1)
            near.setdefault(at.file, set()).update(lines)
    return {
        file: kept
        for file, lines in near.items()
        if (kept := {line: text for line, text in report.excerpts.get(file, {}).items() if line in lines})
    }


_AROUND = 3
