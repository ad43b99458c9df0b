"""How finished values are presented where people meet them: printed, at a prompt, in a notebook, saved as a page.

Values of the model come here through `model/views.py`. What a value says is decided by then; this only picks a
renderer, and says to it what the reader's place can show.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from tensorwhy import rendering
from tensorwhy.pipeline import notebooks
from tensorwhy.rendering import streams

if TYPE_CHECKING:
    from tensorwhy.model.history import History
    from tensorwhy.model.report import Report

_WIDTH = 100


def text(report: Report) -> str:
    """The report as a terminal shows it, without colors."""
    return rendering.renderer("terminal")(report, _plain()).rstrip("\n")


def diagnoses(report: Report) -> str:
    """Its diagnoses alone, in the same words."""
    from tensorwhy.rendering import terminal

    return terminal.diagnoses(report, _plain()).rstrip("\n")


def _plain() -> rendering.Options:
    return rendering.Options(width=_WIDTH, base=os.getcwd())


def fragment(report: Report) -> str:
    """The report as HTML for a notebook, or any page that has a style of its own."""
    from tensorwhy.rendering import html

    return html.fragment(report, rendering.Options(base=os.getcwd()))


def page(report: Report) -> str:
    """The report as one HTML document."""
    return rendering.renderer("html")(report, rendering.Options(base=os.getcwd(), rules=rules()))


def json(report: Report) -> str:
    """The report as JSON."""
    return rendering.renderer("json")(report, rendering.Options())


def show(report: Report) -> None:
    """Display the report under a notebook's cell, or print it to standard error, as colorful as that allows."""
    shell = notebook()
    if shell is not None:
        shell.display_pub.publish({"text/html": fragment(report), "text/plain": text(report) + "\n"})
        return
    stream = sys.stderr
    if stream is None or stream.closed:
        return
    stream.write(rendering.renderer("terminal")(report, streams.options(stream, os.getcwd())))
    stream.flush()


def history(history: History) -> str:
    """A history as HTML for a notebook."""
    from tensorwhy.rendering.html.history import table

    return table(history, os.getcwd())


def notebook() -> Any:
    """The IPython shell of this process, when what it displays may be HTML; else None."""
    shell = notebooks.shell()
    return shell if shell is not None and "text/html" in shell.display_formatter.active_types else None


def rules() -> tuple[rendering.Rule, ...]:
    """The catalogue, for formats that explain codes."""
    from tensorwhy.reasons import catalogue

    return tuple(
        rendering.Rule(
            code=reason.meta.code,
            slug=reason.meta.slug,
            summary=reason.meta.summary,
            severity=reason.meta.severity,
            help=reason.page(),
        )
        for reason in catalogue()
    )
