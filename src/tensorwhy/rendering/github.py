"""Annotations of GitHub Actions: one workflow command for each diagnosis, shown beside the line in the pull request."""

from __future__ import annotations

from tensorwhy.model.location import cell_of
from tensorwhy.model.report import Diagnosis, Report, Unread
from tensorwhy.rendering import Options
from tensorwhy.rendering.paths import place, shown

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report, options: Options) -> str:
    commands = [_command(diagnosis, options) for diagnosis in report.diagnoses]
    commands += [_unread(unread, options) for unread in report.coverage.unread]
    return "".join(f"{command}\n" for command in commands)


def _unread(unread: Unread, options: Options) -> str:
    fields = {"title": "could not be read", "file": shown(unread.file, options.base).replace("\\", "/")}
    if unread.line is not None:
        fields["line"] = str(unread.line)
    return _workflow_command("error", fields, unread.reason)


def _command(diagnosis: Diagnosis, options: Options) -> str:
    fields = {"title": f"{diagnosis.code} {diagnosis.slug}"}
    where = ""
    if (at := diagnosis.primary) is not None:
        file, cell = cell_of(at.file)
        fields |= {"file": shown(file, options.base).replace("\\", "/")}
        where = f"{cell}, line {at.line}: " if cell else ""
    if at is not None and not where:  # its lines are those of a text file
        fields |= {"line": str(at.line)}
        end = at.end_line or at.line
        fields["endLine"] = str(end)
        if end == at.line and at.column is not None and at.end_column is not None:
            fields |= {"col": str(at.column + 1), "endColumn": str(at.end_column)}
    lines = [where + diagnosis.message]
    lines += [f"{mark.label} ({place(mark, options.base)})" for mark in diagnosis.related if mark.label]
    lines += [f"fix: {summary}" for summary in dict.fromkeys(fix.summary for fix in diagnosis.fixes)]
    return _workflow_command(_COMMANDS[diagnosis.severity], fields, "\n".join(lines))


def _workflow_command(name: str, fields: dict[str, str], text: str) -> str:
    properties = ",".join(f"{field}={_property(value)}" for field, value in fields.items())
    return f"::{name} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
