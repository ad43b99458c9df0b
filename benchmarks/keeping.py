"""What every benchmark says of the machine, and where it keeps what it measured."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def setting(*modules: str) -> str:
    """Versions, cores and load, for the line above a table. Modules that are not installed are left out."""
    parts = [f"Python {platform.python_version()}"]
    # Not the distributions' versions: TensorFlow has several names there.
    parts += [
        f"{name} {importlib.import_module(name).__version__}" for name in modules if importlib.util.find_spec(name)
    ]
    return ", ".join([*parts, f"{os.cpu_count()} cores", f"load {os.getloadavg()[1]:.1f}"])


def short_python() -> str:
    """`py311`: results of several Pythons stand side by side."""
    return "py" + "".join(platform.python_version_tuple()[:2])


def keep(stem: str, text: str, raw: Any) -> None:
    """Write the table to results/STEM.md, and the raw numbers to results/STEM.json."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{stem}.md").write_text(text, encoding="utf-8")
    (RESULTS / f"{stem}.json").write_text(json.dumps(raw) + "\n", encoding="utf-8")


def kept(stem: str) -> dict[str, Any]:
    """Return the raw numbers of results/STEM.json; empty if there is none."""
    file = RESULTS / f"{stem}.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median and upper quartile."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, median, high = statistics.quantiles(values, n=4)
    return low, median, high


def shown(values: Sequence[float], form: str = ".3g") -> str:
    """Median and quartiles, as a cell of a table has them."""
    low, median, high = (format(value, form) for value in quartiles(values))
    return f"{median} ({low} to {high})" if len(values) > 1 else median


def rows(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(names) + " |", "| --- |" + " --- |" * (len(names) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in cells)])
