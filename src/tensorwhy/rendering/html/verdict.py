"""Writes one diagnosis as HTML: verdict, annotated source, what else is needed, fixes and how far they were checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Diagnosis, Fix, Report, Symptom, TensorRef, Verification
from tensorwhy.rendering import labels
from tensorwhy.rendering.html.about import About
from tensorwhy.rendering.html.diffs import Hunk, hunks
from tensorwhy.rendering.html.excerpts import Excerpt, Mark, Row, excerpts_of, marks_of, pieces
from tensorwhy.rendering.html.markup import Html, Markup, join
from tensorwhy.rendering.html.syntax import tokens
from tensorwhy.rendering.paths import place, ruled_out, shown

Sources = Mapping[str, Mapping[int, str]]

_SYMPTOMS = {
    "none-gradient": "The gradient was None",
    "zero-gradient": "The gradient was exactly zero",
    "exception": "The program raised",
    "warning": "A warning was printed",
    "silent": "Nothing was printed",
}
_CERTAINTY = {
    "likely": "The evidence points here, but does not prove it",
    "possible": "One explanation among others",
}
_SIGNS = {"confirmed": "✓", "refuted": "✗", "unverified": "○"}
_METHODS = {"replay": " by replay", "rerun": " by re-running a changed copy", "none": ""}


_LONG = 24
"""Characters of a label that may need more than one line."""
_LISTED = 8
"""Items of a list that are shown at once."""


def folded(m: Markup, items: Sequence[Html]) -> Html:
    """One item a line; those of a long list are folded but for the first."""
    lines = [m("div", "", item) for item in items]
    if len(lines) <= _LISTED:
        return join(lines)
    rest = lines[_LISTED:]
    return join([lines[:_LISTED], m("details", "", m("summary", "more", f"{len(rest):,} more"), rest)])


def verdict(m: Markup, diagnosis: Diagnosis, report: Report, base: str, about: About) -> Html:
    """Everything a reader needs of one diagnosis, except for the picture of its lineage."""
    others = {other.id: other for other in report.diagnoses}
    together = [others[name] for name in diagnosis.together_with if name in others]
    return join(
        [
            headline(m, diagnosis, report, about),
            source(m, diagnosis, report.excerpts, base),
            _facts(m, diagnosis, together, base),
            _check(m, diagnosis.experiment) if diagnosis.experiment.evidence else None,
            [
                fix_card(m, fix, report.excerpts, base, number=index if len(diagnosis.fixes) > 1 else None)
                for index, fix in enumerate(diagnosis.fixes, 1)
            ],
            about.text(diagnosis),
        ]
    )


def headline(m: Markup, diagnosis: Diagnosis, report: Report, about: About) -> Html:
    """Severity, code and the one sentence."""
    return m(
        "header",
        "headline",
        m(
            "div",
            "tags",
            m("span", f"severity severity-{diagnosis.severity}", diagnosis.severity),
            " ",
            about.code(diagnosis),
            " ",
            m("span", "certainty", diagnosis.certainty, title=diagnosis.doubt or _CERTAINTY[diagnosis.certainty])
            if diagnosis.certainty in _CERTAINTY
            else None,
            m("span", "seen", f" {often}") if (often := labels.seen(diagnosis, report)) else None,
        ),
        m("h3" if m.static else "h2", "message", m.prose(diagnosis.message)),
    )


def source(m: Markup, diagnosis: Diagnosis, sources: Sources, base: str) -> Html:
    """The annotated source of all files that the diagnosis speaks of."""
    marks = marks_of(diagnosis)
    return join(
        m(
            "figure",
            "source",
            m("figcaption", "source-file", _caption(excerpt, marks[0], base)),
            m("div", "lines", [_row(m, row, excerpt) for row in excerpt.rows]),
        )
        for excerpt in excerpts_of(marks, sources)
    )


def _caption(excerpt: Excerpt, primary: Marked, base: str) -> str:
    if primary.file == excerpt.file:
        inside = "" if primary.function.startswith("<") else f" in {primary.function}"
        return place(primary, base) + inside
    return shown(excerpt.file, base)


def _row(m: Markup, row: Row, excerpt: Excerpt) -> Html:
    text = row.text
    if text is None:
        code: Html = m("span", "absent", "(the source of this line is not in the report)")
    else:
        code = join(
            m(
                "span",
                " ".join(filter(None, (piece.mark and f"mark {piece.mark}", piece.syntax and f"token-{piece.syntax}"))),
                piece.text,
            )
            if piece.mark or piece.syntax
            else piece.text
            for piece in pieces(text, row.marks, tokens(text))
        )
    weight = "primary" if any(mark.primary for mark in row.marks) else "related" if row.marks else "context"
    labels = [
        m(
            "div",
            "line label-line",
            m("span", "number", "", aria_hidden="true"),
            m(
                "span",
                "label-text",
                # Invisible text of the same width puts the label under its mark, whatever the width of the glyphs.
                m("span", "indent", (text or "")[: mark.start], aria_hidden="true"),
                m("span", _label_classes(mark), m.prose(mark.label)),
            ),
        )
        for mark in reversed(row.marks)
        if mark.label
    ]
    return join(
        [
            m("div", "gap", "⋮", aria_hidden="true") if row.after_gap else None,
            m(
                "div",
                f"line line-{weight}",
                m("span", f"number number-{weight}", str(row.line)),
                m("code", "text", code),
                data_file=excerpt.file,
                data_line=row.line,
            ),
            labels,
        ]
    )


def _label_classes(mark: Mark) -> str:
    """Long labels are told apart: they need some width to wrap in."""
    return f"label label-{'primary' if mark.primary else 'related'}" + (
        " label-long" if len(mark.label) > _LONG else ""
    )


def _facts(m: Markup, diagnosis: Diagnosis, together: Sequence[Diagnosis], base: str) -> Html | None:
    """What was seen, between which tensors, what holds together with it, and notes."""
    symptom = diagnosis.symptom
    facts: list[tuple[str, Html]] = []
    first, _, more = symptom.message.strip().partition("\n")
    seen = join(
        [
            m.prose(_seen(symptom, first)),
            _where(m, symptom.location, diagnosis, base),
            m(
                "details",
                "",
                m("summary", "more", "the full message"),
                m("pre", "message-text", symptom.message.strip()),
            )
            if more.strip()
            else None,
        ]
    )
    facts.append(("seen as", seen))
    for title, tensor in (("source", diagnosis.source), ("target", diagnosis.target)):
        if tensor is not None:
            facts.append((title, _tensor(m, tensor, diagnosis, base)))
    if diagnosis.also:
        facts.append(("also", folded(m, [_tensor(m, tensor, diagnosis, base) for tensor in diagnosis.also])))
    if together:
        facts.append(("see also", folded(m, [_reference(m, other) for other in together])))
    if diagnosis.notes:
        facts.append(("note", folded(m, [m.prose(note) for note in diagnosis.notes])))
    if diagnosis.ruled_out:
        facts.append((labels.RULED_OUT, m.prose(ruled_out(diagnosis.ruled_out))))
    return m("dl", "facts", [[m("dt", "fact-name", title), m("dd", "fact", text)] for title, text in facts])


def _reference(m: Markup, other: Diagnosis) -> Html:
    link = m("a", "link", m("b", "", other.code), f" {other.slug}", href=f"#why-{other.id}")
    return join([link, ": ", m.prose(other.message)])


def _seen(symptom: Symptom, message: str) -> str:
    """Frameworks' own words need to be introduced; a gradient's symptom is a sentence already."""
    words = _SYMPTOMS[symptom.kind]
    if not message or symptom.kind not in ("exception", "warning"):
        return message or words
    return f"{words}: {message}"


def _where(m: Markup, location: Location | None, diagnosis: Diagnosis, base: str) -> Html | None:
    """A place; in the file that the diagnosis is about, without the folders."""
    if location is None:
        return None
    shown_place = place(location, base)
    if diagnosis.primary is not None and diagnosis.primary.file == location.file:
        shown_place = shown_place.replace("\\", "/").rpartition("/")[2]
    return m("span", "where", f" {shown_place}")


def _tensor(m: Markup, tensor: TensorRef, diagnosis: Diagnosis, base: str) -> Html:
    return join(
        [
            m("code", "code", tensor.name) if tensor.name else None,
            " ",
            tensor.kind if tensor.kind != "other" else None,
            " ",
            m("span", "dim type", " ".join(filter(None, (tensor.dtype, shape(tensor.shape))))),
            m("span", "dim", f" of layer {tensor.layer}") if tensor.layer else None,
            _where(m, tensor.location, diagnosis, base),
        ]
    )


def shape(dimensions: tuple[int | None, ...] | None) -> str:
    """A shape as TensorFlow prints it; empty when it was not observed."""
    if dimensions is None:
        return ""
    inside = ", ".join("None" if size is None else str(size) for size in dimensions)
    return f"({inside},)" if len(dimensions) == 1 else f"({inside})"


def fix_card(m: Markup, fix: Fix, sources: Sources, base: str, number: int | None = None) -> Html:
    """A fix: what to do, the edits, when it would be wrong, and what the experiment said."""
    return m(
        "section",
        "fix",
        m(
            "p",
            "fix-summary",
            m("b", "fix-word", f"{labels.fix(fix)} {number or ''}".strip()),
            " ",
            m.prose(fix.summary),
        ),
        [_diff(m, hunk, base) for hunk in hunks(fix.edits, sources)],
        m("p", "caveat", m("b", "", f"{labels.caveat(fix.caveat)[0]}: "), m.prose(labels.caveat(fix.caveat)[1]))
        if fix.caveat
        else None,
        _check(m, fix.verification) if fix.verification.evidence or fix.verification.status != "unverified" else None,
    )


def _check(m: Markup, check: Verification) -> Html:
    """What an experiment said of a fix, or of the explanation."""
    method = _METHODS[check.method] if check.status != "unverified" else ""
    return m(
        "p",
        f"check check-{check.status}",
        m(
            "b",
            "",
            f"{_SIGNS[check.status]} {labels.check(check)}{method}",
        ),
        [": ", m.prose(check.evidence)] if check.evidence else None,
    )


def _diff(m: Markup, hunk: Hunk, base: str) -> Html:
    signs = {"kept": " ", "removed": "-", "added": "+"}
    return m(
        "div",
        "lines diff",
        [
            m(
                "div",
                f"line line-{line.kind}",
                m("span", "number", str(line.line) if line.line is not None else ""),
                m("span", f"diff-sign diff-sign-{line.kind}", signs[line.kind]),
                m("code", "text", line.text),
            )
            for line in hunk.lines
        ],
        aria_label=f"change to {shown(hunk.file, base)} at line {hunk.line}",
    )
