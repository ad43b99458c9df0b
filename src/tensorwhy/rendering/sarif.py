"""SARIF 2.1.0, for code scanning. Section numbers are those of the OASIS standard."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tensorwhy.model.location import Location, Marked, cell_of
from tensorwhy.model.report import Diagnosis, Fix, Report, Unread
from tensorwhy.rendering import Options, Rule
from tensorwhy.rendering.json import written
from tensorwhy.rendering.paths import shown

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"


def render(report: Report, options: Options) -> str:
    return written(_Sarif(report, options).log())


class _Sarif:
    def __init__(self, report: Report, options: Options) -> None:
        self._report = report
        self._base = options.base
        self._rules = _rules(report, options.rules)
        self._index = {rule.code: number for number, rule in enumerate(self._rules)}

    def log(self) -> dict[str, Any]:
        run: dict[str, Any] = {
            "tool": {"driver": self._driver()},
            "invocations": [self._invocation()],
            "columnKind": "unicodeCodePoints",
            "results": [self._result(diagnosis) for diagnosis in self._report.diagnoses],
        }
        if self._base:
            run["originalUriBaseIds"] = {_ROOT: {"uri": Path(self._base).as_uri() + "/"}}
        return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}

    def _driver(self) -> dict[str, Any]:
        return {
            "name": "tensorwhy",
            "semanticVersion": self._report.tool_version,
            "rules": [
                {
                    "id": rule.code,
                    "name": "".join(word.capitalize() for word in rule.slug.split("-")),
                    "shortDescription": {"text": rule.summary},
                    "help": {"text": rule.help or rule.summary, "markdown": rule.help or rule.summary},
                    "defaultConfiguration": {"level": rule.severity},
                }
                for rule in self._rules
            ],
        }

    def _invocation(self) -> dict[str, Any]:
        """§3.20: `executionSuccessful` speaks of the tool; the program's own exit code stands beside it."""
        return {
            "executionSuccessful": not self._report.coverage.unread,
            "exitCode": self._report.program.exit_code,
            "arguments": [self._report.program.path, *self._report.program.argv],
            "toolExecutionNotifications": [
                *map(self._unread, self._report.coverage.unread),
                *(
                    {"level": "note", "message": {"text": f"not covered: {text}"}}
                    for text in self._report.coverage.unobserved
                ),
            ],
        }

    def _unread(self, unread: Unread) -> dict[str, Any]:
        place: dict[str, Any] = {"artifactLocation": self._artifact(unread.file)}
        if unread.line is not None:
            place["region"] = {"startLine": unread.line}
        text = f"could not be read: {unread.reason}"
        return {"level": "error", "message": {"text": text}, "locations": [{"physicalLocation": place}]}

    def _result(self, diagnosis: Diagnosis) -> dict[str, Any]:
        result: dict[str, Any] = {
            "ruleId": diagnosis.code,
            "ruleIndex": self._index[diagnosis.code],
            "level": diagnosis.severity,
            "message": {"text": "\n".join([diagnosis.message, *diagnosis.notes])},
            "locations": [] if diagnosis.primary is None else [self._location(diagnosis.primary)],
            "relatedLocations": [
                self._location(mark, number) for number, mark in enumerate(self._related(diagnosis), start=1)
            ],
            "partialFingerprints": {"tensorwhy/1": self._fingerprint(diagnosis)},
            "properties": {
                "certainty": diagnosis.certainty,
                "family": diagnosis.family,
                "symptom": diagnosis.symptom.kind,
                "seen": diagnosis.seen,
            },
        }
        fixes = [self._fix(fix) for fix in diagnosis.fixes if fix.edits]
        return result | ({"fixes": fixes} if fixes else {})

    def _related(self, diagnosis: Diagnosis) -> list[Marked]:
        marks = list(diagnosis.related)
        if diagnosis.symptom.location is not None:
            marks.append(Marked.at(diagnosis.symptom.location, diagnosis.symptom.message or diagnosis.symptom.kind))
        return marks

    def _location(self, mark: Marked, number: int | None = None) -> dict[str, Any]:
        file, cell = cell_of(mark.file)
        physical: dict[str, Any] = {"artifactLocation": self._artifact(file)}
        text = mark.label or mark.role
        if cell:  # lines of a region are those of the file, which are no lines of its cells
            text = f"{cell}, line {mark.line}: {text}"
        else:
            physical["region"] = self._region(mark)
        location: dict[str, Any] = {
            "physicalLocation": physical,
            "logicalLocations": [{"name": mark.function, "kind": "function"}],
        }
        if number is not None:
            location["id"] = number
        if text:
            location["message"] = {"text": text}
        return location

    def _artifact(self, file: str) -> dict[str, Any]:
        name = shown(file, self._base)
        if name != file:
            return {"uri": quote(name.replace(os.sep, "/")), "uriBaseId": _ROOT}
        return {"uri": Path(file).as_uri() if os.path.isabs(file) else quote(file)}

    def _region(self, location: Location) -> dict[str, Any]:
        """§3.30: lines and columns count from 1, and the end column is exclusive."""
        region: dict[str, Any] = {"startLine": location.line}
        if location.column is not None:
            region["startColumn"] = location.column + 1
        if location.end_line is not None:
            region["endLine"] = location.end_line
            if location.column is not None and location.end_column is not None:
                region["endColumn"] = location.end_column + 1
        lines = self._report.excerpts.get(location.file, {})
        if location.line in lines:
            region["snippet"] = {"text": lines[location.line]}
        return region

    def _fix(self, fix: Fix) -> dict[str, Any]:
        changes: dict[str, list[dict[str, Any]]] = {}
        for edit in fix.edits:
            replacement = {
                "deletedRegion": {
                    "startLine": edit.start.line,
                    "startColumn": edit.start.column + 1,
                    "endLine": edit.end.line,
                    "endColumn": edit.end.column + 1,
                },
                "insertedContent": {"text": edit.replacement},
            }
            changes.setdefault(edit.file, []).append(replacement)
        return {
            "description": {"text": fix.summary},
            "artifactChanges": [
                {"artifactLocation": self._artifact(file), "replacements": replacements}
                for file, replacements in changes.items()
            ],
        }

    def _fingerprint(self, diagnosis: Diagnosis) -> str:
        """Stays the same while lines move: made of the code, the function and the text of the line."""
        parts = [diagnosis.code]
        if (at := diagnosis.primary) is not None:
            text = self._report.excerpts.get(at.file, {}).get(at.line, "").strip()
            parts += [shown(at.file, self._base), at.function, text]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _rules(report: Report, known: tuple[Rule, ...]) -> list[Rule]:
    """All rules of the catalogue, and those of the report that it does not have (a report of another version)."""
    rules = {rule.code: rule for rule in known}
    for diagnosis in report.diagnoses:
        if diagnosis.code not in rules:
            rules[diagnosis.code] = Rule(
                code=diagnosis.code,
                slug=diagnosis.slug,
                summary=diagnosis.slug.replace("-", " "),
                severity=diagnosis.severity,
            )
    return [rules[code] for code in sorted(rules)]
