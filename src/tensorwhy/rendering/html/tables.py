"""Tables that read well under a notebook's cell, on a light ground and on a dark one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensorwhy.rendering.html.markup import Child, Html, Markup

_STYLES = {
    "box": "overflow-x:auto;text-align:left",
    "table": "border-collapse:collapse;font-size:13px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif",
    "caption": "caption-side:top;text-align:left;font-weight:600;padding:2px 0 4px",
    "head": "text-align:left;padding:2px 10px;border-bottom:1px solid rgba(128,128,128,.5);font-weight:600",
    "cell": "text-align:left;padding:2px 10px;vertical-align:top",
    "bad": "color:#dd5a1f;font-weight:700",
    "number": "text-align:right;font-variant-numeric:tabular-nums",
    "code": "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12.5px;"
    "background:none;color:inherit;padding:0;border:0;white-space:nowrap",
    "note": "margin:4px 0;font-size:13px",
}

Cell = tuple[Child, str]
"""What a cell shows, and the names of its styles."""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = "") -> Html:
    """One table with its caption, in a box that scrolls where the page is narrow, and a sentence below it."""
    m = Markup(inline=_STYLES)
    return m(
        "div",
        "box",
        m(
            "table",
            "table",
            m("caption", "caption", m.prose(caption)),
            m("thead", "", m("tr", "", [m("th", "head", name, scope="col") for name in head])),
            m("tbody", "", [m("tr", "", [m("td", f"cell {styles}", shown) for shown, styles in row]) for row in rows]),
        ),
        m("p", "note", m.prose(note)) if note else None,
    )


def code(text: str) -> Html:
    """A name, a type or a place as code."""
    return Markup(inline=_STYLES)("code", "code", text)
