"""From a finished report to what people and tools read. Imports only the model; a renderer never decides.

A format is a module (or package) with `render(report: Report, options: Options) -> str`, loaded when it is asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable

import msgspec

from tensorwhy.model.messages import counted
from tensorwhy.model.report import Coverage, Report, Severity

__all__ = ["Options", "Rule", "clean", "counted", "formats", "renderer"]

_EXACT = ("json", "sarif")
"""Formats for programs: they write control characters as JSON does, and lose none."""
_FORMATS = ("terminal", "concise", "json", "sarif", "github", "lsp", "markdown", "html")


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A reason as formats with rule metadata show it. `help` is Markdown."""

    code: str
    slug: str
    summary: str
    severity: Severity
    help: str = ""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a renderer needs to know of the reader. `base` is the folder that file names are shown relative to.

    `width` is in terminal cells. `unicode` is False where the output cannot encode more than ASCII. With `links`, and
    only in colour, names of files lead to them where the terminal knows hyperlinks; others show the same text. With
    `verbose`, notes are shown in full, and no list is cut short.
    """

    width: int = 80
    color: bool = False
    unicode: bool = True
    links: bool = False
    base: str = ""
    rules: tuple[Rule, ...] = ()
    verbose: bool = False


def clean(coverage: Coverage) -> str:
    """What is said of a run in which nothing was found: how much was looked at."""
    if not coverage.steps_recorded:
        return "no problems found; no gradient was computed"
    return f"no problems found in {counted(coverage.steps_recorded, 'recorded step')}"


def formats() -> tuple[str, ...]:
    """The names of the formats that are there."""
    return tuple(name for name in _FORMATS if importlib.util.find_spec(f"{__name__}.{name}") is not None)


def renderer(name: str) -> Callable[[Report, Options], str]:
    """The renderer of a format. Raises KeyError for a name that `formats` does not list."""
    if name not in formats():
        raise KeyError(name)
    render: Callable[[Report, Options], str] = importlib.import_module(f"{__name__}.{name}").render
    bounds = importlib.import_module(f"{__name__}.bounds")
    return lambda report, options: render(bounds.presentable(report, exact=name in _EXACT), options)
