"""The part of the report that a notebook shows under a cell: static HTML with inline styles and no script.

It has to read well on a light and on a dark ground that it knows nothing of. So text takes its colour from the page,
and the few colours of its own have enough contrast on both.
"""

from __future__ import annotations

import msgspec

from tensorwhy.model.report import Diagnosis, Report
from tensorwhy.rendering import Options, clean
from tensorwhy.rendering.bounds import presentable
from tensorwhy.rendering.html.about import About
from tensorwhy.rendering.html.answers import answer_card
from tensorwhy.rendering.html.lineage import LEAST, lineage_of
from tensorwhy.rendering.html.markup import Html, Markup
from tensorwhy.rendering.html.steps import steps
from tensorwhy.rendering.html.verdict import verdict

_LOST = "#dd5a1f"
_CONNECTED = "#3584c4"
_WARNING = "#b07d00"
_COLORS = {"error": _LOST, "warning": _WARNING, "note": _CONNECTED}
_MONO = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12.5px"
_FAINT = "rgba(128,128,128,.13)"
_PLAIN = "padding:0;border:0;background:none;color:inherit"

STYLES = {
    "root": "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:14px;line-height:1.5;max-width:62em;"
    "text-align:left",
    "card": f"border-left:3px solid {_LOST};padding:2px 0 2px 14px;margin:8px 0 16px",
    "tags": "font-size:12.5px",
    "severity": "font-weight:700",
    "severity-error": f"color:{_LOST}",
    "severity-warning": f"color:{_WARNING}",
    "severity-note": f"color:{_CONNECTED}",
    "code-name": _MONO,
    "certainty": "opacity:.7;margin-left:6px",
    "seen": "opacity:.7",
    "message": "font-size:15px;font-weight:600;margin:2px 0 8px;line-height:1.4",
    "code": f"{_MONO};background:{_FAINT};padding:0 3px;border:0;border-radius:3px;color:inherit",
    "source": "margin:0 0 8px",
    "source-file": f"{_MONO};opacity:.75;margin:0 0 2px;text-align:left",
    "lines": f"{_MONO};background:{_FAINT};border-radius:4px;padding:6px 0;overflow-x:auto;line-height:1.45",
    "line": "white-space:pre;text-align:left",
    "line-context": "opacity:.6",
    "line-removed": "background:rgba(221,90,31,.16)",
    "line-added": "background:rgba(53,132,196,.18)",
    "number": "display:inline-block;flex:none;width:3.5em;padding-right:1em;text-align:right;opacity:.55;"
    "box-sizing:border-box;user-select:none",
    "number-primary": f"opacity:1;font-weight:700;color:{_LOST}",
    "text": f"{_MONO};{_PLAIN};white-space:pre",
    "mark": "text-decoration-line:underline;text-decoration-thickness:2px;text-underline-offset:3px",
    "primary": f"text-decoration-color:{_LOST};font-weight:700",
    "related": f"text-decoration-color:{_CONNECTED}",
    "label-line": "display:flex",
    "label-text": "display:flex;flex:1;min-width:0",
    "label": "flex:0 1000 auto;min-width:min-content;white-space:normal",
    "label-long": "min-width:min(20em,100%)",
    "indent": "visibility:hidden;flex:0 1 auto;min-width:0;overflow:hidden",
    "label-primary": f"color:{_LOST};font-weight:700",
    "label-related": f"color:{_CONNECTED}",
    "gap": "padding-left:2.2em;opacity:.55",
    "absent": "opacity:.6;font-style:italic",
    "facts": "display:grid;grid-template-columns:max-content 1fr;gap:2px 12px;margin:0 0 8px",
    "fact-name": "opacity:.7;font-weight:400;text-align:right;margin:0;padding:0",
    "fact": "margin:0;padding:0",
    "link": "color:inherit",
    "where": f"{_MONO};opacity:.7",
    "dim": "opacity:.7",
    "more": "cursor:pointer;opacity:.7",
    "message-text": f"{_MONO};background:none;color:inherit;white-space:pre-wrap;margin:4px 0;padding:0",
    "fix": "margin:10px 0",
    "fix-summary": "margin:0 0 4px",
    "fix-word": f"color:{_CONNECTED}",
    "diff-sign": "display:inline-block;width:1.4em;user-select:none",
    "caveat": "margin:4px 0;opacity:.8",
    "check": "margin:4px 0",
    "check-unverified": "opacity:.75",
    "check-confirmed": f"color:{_CONNECTED}",
    "check-refuted": f"color:{_LOST}",
    "steps-box": "margin:8px 0",
    "steps-title": "cursor:pointer;opacity:.8",
    "steps": "list-style:none;margin:4px 0;padding:0 0 0 4px",
    "step": "margin:0;padding:0",
    "step-more": "opacity:.7;padding-left:1.3em",
    "state": "display:inline-block;width:1.3em",
    "state-cut": f"color:{_LOST};font-weight:700",
    "state-lost": f"color:{_LOST}",
    "state-connected": f"color:{_CONNECTED}",
}


def fragment(report: Report, options: Options | None = None, *, limit: int = 12) -> str:
    """The report's diagnoses for display inside another page. Of more than `limit`, the rest is counted."""
    report = presentable(report)
    base = options.base if options else ""
    m = Markup(inline=STYLES)
    every = [*(one for answer in report.answers for one in answer.findings), *report.diagnoses]
    shown = [msgspec.structs.replace(one, lineage=lineage_of(one, LEAST)) for one in every[:limit]]
    cards = [_card(diagnosis, report, base) for diagnosis in shown]
    rest = len(every) - len(shown)
    return m(
        "div",
        "root",
        [answer_card(m, answer, base) for answer in report.answers],
        cards or None if cards or report.answers else m("p", "", f"✓ {clean(report.coverage).capitalize()}."),
        m("p", "dim", f"and {rest} more") if rest else None,
    )


def _card(diagnosis: Diagnosis, report: Report, base: str) -> Html:
    """One diagnosis, marked in the color of its severity."""
    color = _COLORS[diagnosis.severity]
    own = {name: STYLES[name].replace(_LOST, color) for name in ("card", "number-primary", "primary", "label-primary")}
    m = Markup(inline=STYLES | own)
    listed = steps(m, diagnosis, base)
    return m(
        "div",
        "card",
        verdict(m, diagnosis, report, base, About(m, ())),
        m("details", "steps-box", m("summary", "steps-title", "The path from source to target"), listed)
        if listed
        else None,
    )
