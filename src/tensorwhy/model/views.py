"""How values of the model show themselves: in one line at a prompt, as text when printed, rich in a notebook.

What draws them lies above this room and imports it. This is the one place that reaches up: by name, and only when
something is shown.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tensorwhy.model import source_text

if TYPE_CHECKING:
    from tensorwhy.model.history import History
    from tensorwhy.model.location import Location
    from tensorwhy.model.report import Report

_LONGEST = 100


def _presenting() -> Any:
    return importlib.import_module("tensorwhy.pipeline.presenting")


def text(report: Report) -> str:
    """The report as plain text."""
    return str(_presenting().text(report))


def diagnoses(report: Report) -> str:
    """The diagnoses of a report as plain text, without what is said of the report as a whole."""
    return str(_presenting().diagnoses(report))


def fragment(report: Report) -> str:
    """The report as a piece of HTML."""
    return str(_presenting().fragment(report))


def page(report: Report) -> str:
    """The report as a whole HTML document."""
    return str(_presenting().page(report))


def json(report: Report) -> str:
    """The report as JSON."""
    return str(_presenting().json(report))


def show(report: Report) -> None:
    """Display the report wherever people look."""
    _presenting().show(report)


def history(value: History) -> str:
    """A history as a piece of HTML."""
    return str(_presenting().history(value))


def line(kind: str, words: str) -> str:
    """What a prompt shows of a value: its kind, and a short text in one line."""
    words = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in " ".join(words.split()))
    return f"<{kind}: {words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'}>"


def excerpts(locations: Iterable[Location | None]) -> dict[str, dict[int, str]]:
    """The source lines of some locations, as far as Python itself would find them for a traceback."""
    found: dict[str, dict[int, str]] = {}
    for location in locations:
        if location is not None and (source := source_text.line(location.file, location.line)):
            found.setdefault(location.file, {})[location.line] = source.rstrip("\r\n")
    return found
