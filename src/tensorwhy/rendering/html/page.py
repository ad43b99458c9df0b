"""The whole page: verdicts as plain HTML, the data for the pictures as JSON, and a policy that forbids every request.

The verdicts are readable without the script. The script (built from `web/`) draws lineages and the model's variables.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources

import msgspec

from tensorwhy.model.report import Diagnosis, Report
from tensorwhy.rendering import Options, clean, counted, paths
from tensorwhy.rendering.html.about import About
from tensorwhy.rendering.html.answers import answer_card
from tensorwhy.rendering.html.lineage import LEAST, LIMIT, lineage_of
from tensorwhy.rendering.html.markup import Html, Markup, escape, join
from tensorwhy.rendering.html.steps import steps
from tensorwhy.rendering.html.verdict import folded, verdict
from tensorwhy.rendering.paths import shown

_NOTHING_READ = "No problems found in the files that were read. Most problems only show in a run."


def render(report: Report, options: Options | None = None, *, limit: int = LIMIT) -> str:
    """The report as one self-contained HTML document. `limit` bounds the nodes in the pictures of all lineages."""
    report = _drawable(report, limit)
    base = options.base if options else ""
    m = Markup()
    about = About(m, options.rules if options else ())
    script, style = asset("page.js"), asset("page.css")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = m(
        "head",
        "",
        m("meta", charset="utf-8"),
        m("meta", http_equiv="Content-Security-Policy", content=policy),
        m("meta", name="viewport", content="width=device-width, initial-scale=1"),
        m("meta", name="referrer", content="no-referrer"),
        m("meta", name="color-scheme", content="light dark"),
        m("meta", name="generator", content=f"tensorwhy {report.tool_version}"),
        m("title", "", f"{_tally(report)} · {shown(report.program.path, base)} · tensorwhy"),
        Html(f"<style>{style}</style>"),
    )
    body = m(
        "body",
        "",
        _top(m, report, base),
        m(
            "main",
            "",
            m("div", "view", _verdicts(m, report, base, about), id="diagnoses", role="tabpanel"),
            m("div", "view", id="model", role="tabpanel", hidden=True),
        ),
        _foot(m, report, base),
        Html(f'<script type="application/json" id="report" data-base="{escape(base)}">{_embedded(report)}</script>'),
        Html(f"<script>{script}</script>"),
    )
    return f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'


@cache
def asset(name: str) -> str:
    """A file of the bundle, which is committed beside this module."""
    text = resources.files("tensorwhy.rendering.html").joinpath("bundle").joinpath(name).read_text(encoding="utf-8")
    # Libraries keep such characters in strings, where their escapes are the same.
    return re.sub("[\x00-\x08\x0b-\x1f\x7f]", lambda found: f"\\x{ord(found[0]):02x}", text)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _drawable(report: Report, limit: int) -> Report:
    """The report with a lineage that can be drawn in place of each path."""
    share = max(limit // max(len(report.diagnoses), 1), min(limit, LEAST))
    diagnoses = tuple(
        msgspec.structs.replace(diagnosis, lineage=lineage_of(diagnosis, share)) for diagnosis in report.diagnoses
    )
    return msgspec.structs.replace(report, diagnoses=diagnoses)


def _embedded(report: Report) -> str:
    """The report as JSON that can end neither the script element nor a line of it."""
    # The picture stands for the path, which can be a million steps long.
    diagnoses = tuple(
        msgspec.structs.replace(diagnosis, path=()) if diagnosis.lineage else diagnosis
        for diagnosis in report.diagnoses
    )
    # The standard encoder also writes what UTF-8 cannot: file names that are not text hold lone surrogates.
    text = json.dumps(msgspec.to_builtins(msgspec.structs.replace(report, diagnoses=diagnoses)), separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _tally(report: Report) -> str:
    counts = [
        (sum(diagnosis.severity == severity for diagnosis in report.diagnoses), severity)
        for severity in ("error", "warning", "note")
    ]
    words = [counted(count, severity) for count, severity in counts if count]
    if report.coverage.files_read is not None:
        return ", ".join(words) or "nothing found"
    return ", ".join(words) or ("nothing observed" if report.coverage.blind else "no problems found")


def _top(m: Markup, report: Report, base: str) -> Html:
    program = report.program
    ended = f"exit code {program.exit_code}" if program.exit_code else "ran to its end"
    if report.coverage.files_read is not None:
        ended = f"{counted(report.coverage.files_read, 'file')} read, nothing run"
    facts = [f"Python {report.environment.python}"]
    facts += [f"{name} {version}" for name, version in report.environment.frameworks.items()]
    return m(
        "header",
        "top",
        m("div", "brand", m("b", "", "tensor"), "why"),
        m(
            "div",
            "about",
            m("h1", "program", shown(program.path, base), title=program.path),
            m("p", "dim", " · ".join([_tally(report), ended, *facts])),
        ),
        m(
            "nav",
            "tabs",
            m("button", "tab", "Diagnoses", type="button", role="tab", data_view="diagnoses", aria_selected="true"),
            m("button", "tab", "Model", type="button", role="tab", data_view="model", aria_selected="false"),
            role="tablist",
            aria_label="Pages of this report",
        )
        if report.variables
        else None,
    )


def _verdicts(m: Markup, report: Report, base: str, about: About) -> Html:
    if not report.diagnoses and not report.answers:
        if report.coverage.files_read is None and report.coverage.blind:
            return m("p", "healthy", "Nothing was observed.")
        words = f"{clean(report.coverage).capitalize()}." if report.coverage.files_read is None else _NOTHING_READ
        return m("p", "healthy", m("span", "healthy-sign", "✓", aria_hidden="true"), f" {words}")
    return join(
        [
            [
                [
                    answer_card(m, answer, base),
                    [_section(m, finding, report, base, about) for finding in answer.findings],
                ]
                for answer in report.answers
            ],
            _contents(m, report) if len(report.diagnoses) > 1 else None,
            [_section(m, diagnosis, report, base, about) for diagnosis in report.diagnoses],
        ]
    )


def _contents(m: Markup, report: Report) -> Html:
    entries = [
        join(
            [
                m("span", f"severity severity-{diagnosis.severity}", diagnosis.severity),
                m(
                    "a",
                    "link",
                    m("b", "", diagnosis.code),
                    " ",
                    m.prose(diagnosis.message),
                    href=f"#why-{diagnosis.id}",
                ),
            ]
        )
        for diagnosis in report.diagnoses
    ]
    return m("nav", "contents", folded(m, entries), aria_label="Diagnoses")


def _section(m: Markup, diagnosis: Diagnosis, report: Report, base: str, about: About) -> Html:
    picture = None
    if diagnosis.lineage is not None:
        listed = m("details", "as-text", m("summary", "", "The same as a list"), steps(m, diagnosis, base))
        picture = m("aside", "lineage", listed, data_diagnosis=diagnosis.id, aria_label="Lineage")
    return m(
        "article",
        f"diagnosis diagnosis-{diagnosis.severity}" + ("" if picture else " without-lineage"),
        m("div", "verdict", verdict(m, diagnosis, report, base, about)),
        picture,
        id=f"why-{diagnosis.id}",
    )


def _foot(m: Markup, report: Report, base: str) -> Html:
    coverage = report.coverage
    recorded = f"Recorded: {counted(coverage.recorded_ops, 'operation')} in {counted(coverage.steps_recorded, 'step')}."
    unobserved = m(
        "details",
        "",
        m("summary", "", f"Not covered ({len(coverage.unobserved)})"),
        m("ul", "", [m("li", "", m.prose(reason)) for reason in coverage.unobserved]),
    )
    return m(
        "footer",
        "foot",
        m("p", "", recorded) if coverage.recorded_ops else None,
        [m("p", "", m.prose(paths.unread(each, base))) for each in coverage.unread],
        unobserved if coverage.unobserved else None,
        m("p", "", f"tensorwhy {report.tool_version}. More on a code: ", m("code", "code", "tensorwhy explain CODE")),
    )
