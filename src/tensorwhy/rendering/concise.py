"""One line for each diagnosis, as linters and compilers write them: editors and scripts find the place in it."""

from __future__ import annotations

from tensorwhy.model.plain_text import in_log
from tensorwhy.model.report import Diagnosis, Report, Unread
from tensorwhy.rendering import Options, paths
from tensorwhy.rendering.paths import shown
from tensorwhy.rendering.text import safe


def render(report: Report, options: Options) -> str:
    """`file:line:column: severity[CODE slug] message`; columns count from 1. What was not seen comes last."""
    lines = [_line(each, options) for each in report.diagnoses]
    lines += [_unread(each, options) for each in report.coverage.unread]
    unobserved = [paths.told(each, options.base) for each in report.coverage.unobserved]
    lines += [f"tensorwhy: not covered: {' '.join(each.split())}" for each in unobserved]
    return "".join(f"{in_log(safe(line, options.unicode))}\n" for line in lines)


def _line(diagnosis: Diagnosis, options: Options) -> str:
    at = diagnosis.primary
    message = " ".join(diagnosis.message.split())
    text = f"{diagnosis.severity}[{diagnosis.code} {diagnosis.slug}] {message}"
    if at is None:
        return text
    column = "" if at.column is None else f"{at.column + 1}:"
    return f"{shown(at.file, options.base)}:{at.line}:{column} {text}"


def _unread(unread: Unread, options: Options) -> str:
    line = "" if unread.line is None else f"{unread.line}:"
    return f"{shown(unread.file, options.base)}:{line} error: could not be read: {' '.join(unread.reason.split())}"
