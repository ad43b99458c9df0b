"""Markdown, for places that show no page of ours: TensorBoard's text, the summary of a CI job, a comment.

The explanation itself is the terminal's, in a block of code: carets keep their columns, and no name becomes markup.
"""

from __future__ import annotations

import re
import textwrap

import msgspec

from tensorwhy.model.report import Diagnosis, Report
from tensorwhy.rendering import Options, links, terminal

_WIDTH = 100


def render(report: Report, options: Options) -> str:
    """A heading for each diagnosis, whose code leads to its page, and the explanation below."""
    plain = msgspec.structs.replace(options, width=_WIDTH, color=False, links=False)
    answered = terminal.answers(report, plain)
    parts = [textwrap.indent(answered.rstrip("\n"), "    ")] if answered else []
    for diagnosis in report.diagnoses:
        alone = msgspec.structs.replace(report, diagnoses=(diagnosis,))
        parts.append(f"#### {diagnosis.severity}{_link(diagnosis)}")
        parts.append(textwrap.indent(terminal.diagnoses(alone, plain).rstrip("\n"), "    "))
    rest = msgspec.structs.replace(report, diagnoses=(), answers=())
    parts += [] if report.diagnoses else [textwrap.indent(terminal.render(rest, plain).strip("\n"), "    ")]
    return "\n\n".join(parts) + "\n"


def _link(diagnosis: Diagnosis) -> str:
    """Return the link to the reason's page, or nothing for a code that is none: anybody may have written the report."""
    if not re.fullmatch(r"TW\d{3}", diagnosis.code) or not re.fullmatch(r"[a-z0-9-]+", diagnosis.slug):
        return ""
    return f": [{diagnosis.code} {diagnosis.slug}]({links.catalogue(diagnosis.code, diagnosis.slug)})"
