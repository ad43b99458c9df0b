"""What editors show: the findings of each file in the form of the Language Server Protocol, as JSON.

A run writes this into a file, and `tensorwhy lsp` sends the same for what it checks: a list with the parameters of one
`textDocument/publishDiagnostics` for each file. `data` holds what a server answers further questions with.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tensorwhy.model.location import Location, cell_of
from tensorwhy.model.report import Diagnosis, Fix, Report
from tensorwhy.rendering import Options, labels, links

_SEVERITIES = {"error": 1, "warning": 2, "note": 3}
SOURCE = "tensorwhy"

Line = Callable[[str, int], "str | None"]
"""Tells the text of a line of a file, where it is known."""


def render(report: Report, options: Options) -> str:
    """The findings of a report, file by file."""
    program = os.path.join(options.base, report.program.path)
    files = published(report, lambda file, line: report.excerpts.get(file, {}).get(line), program)
    return msgspec.json.format(msgspec.json.encode(files), indent=2).decode() + "\n"


def published(report: Report, line: Line, program: str) -> list[dict[str, Any]]:
    """Return the diagnostics of each file. Those without a place in a file are told at the beginning of the program.

    Cells of notebooks have no lines of the file: what is found in them is told at its beginning.
    """
    files: dict[str, list[dict[str, Any]]] = {}
    for diagnosis in report.diagnoses:
        at = diagnosis.primary or diagnosis.symptom.location
        file, cell = cell_of(at.file) if at is not None else (program, "")
        if at is None or not os.path.isabs(file):
            found = _diagnostic(diagnosis, Location(file=program, line=1, column=0, end_column=0), line)
            file = program
        elif cell:
            found = _diagnostic(diagnosis, Location(file=file, line=1, column=0, end_column=0), line)
            found["message"] = f"{cell}, line {at.line}: {found['message']}"
        else:
            found = _diagnostic(diagnosis, at, line)
        files.setdefault(os.path.abspath(file), []).append(found)
    return [{"uri": Path(file).as_uri(), "diagnostics": found} for file, found in sorted(files.items())]


def _on_disk(file: str) -> bool:
    return os.path.isabs(file) and not cell_of(file)[1]


def _diagnostic(diagnosis: Diagnosis, at: Location, line: Line) -> dict[str, Any]:
    related: list[tuple[Location, str]] = [(mark, mark.label or mark.role) for mark in diagnosis.related]
    if diagnosis.symptom.location is not None and diagnosis.symptom.message:
        related.append((diagnosis.symptom.location, diagnosis.symptom.message.partition("\n")[0]))
    advice = [f"{labels.fix(fix)}: {fix.summary}" for fix in diagnosis.fixes]
    return {
        "range": _range(at, line),
        "severity": _SEVERITIES[diagnosis.severity],
        "code": diagnosis.code,
        "codeDescription": {"href": links.catalogue(diagnosis.code, diagnosis.slug)},
        "source": SOURCE,
        "message": "\n".join([diagnosis.message, *dict.fromkeys(advice)]),
        "relatedInformation": [
            {"location": {"uri": Path(mark.file).as_uri(), "range": _range(mark, line)}, "message": words}
            for mark, words in related
            if words and _on_disk(mark.file)
        ],
        "data": {
            "slug": diagnosis.slug,
            "line": line(at.file, at.line),
            "fixes": [
                _fix(fix, line)
                for fix in diagnosis.fixes
                if fix.edits and all(_on_disk(edit.file) for edit in fix.edits)
            ],
        },
    }


def _fix(fix: Fix, line: Line) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        start = _position(edit.file, edit.start.line, edit.start.column, line)
        end = _position(edit.file, edit.end.line, edit.end.column, line)
        change = {"range": {"start": start, "end": end}, "newText": edit.replacement}
        changes.setdefault(Path(edit.file).as_uri(), []).append(change)
    return {"title": fix.summary, "verified": fix.verification.status == "confirmed", "changes": changes}


def _range(at: Location, line: Line) -> dict[str, Any]:
    text = line(at.file, at.line) or ""
    end_line, end = at.end_line or at.line, at.end_column
    if end is None:
        end_line, end = at.line, max(len(text), (at.column or 0) + 1)
    start = at.column if at.column is not None else len(text) - len(text.lstrip())
    return {
        "start": _position(at.file, at.line, start, line),
        "end": _position(at.file, end_line, end, line),
    }


def _position(file: str, number: int, column: int, line: Line) -> dict[str, int]:
    """The protocol counts from 0, and in the units of UTF-16."""
    text = line(file, number)
    units = column if text is None or text.isascii() else len(text[:column].encode("utf-16-le", "surrogatepass")) // 2
    return {"line": number - 1, "character": units}
