"""What Python could not run is not proposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.fixes.sound import sound
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.files import Sources

PROGRAM = """\
import numpy as np

kept = []


def step(x):
    kept.append(x)
    return [y for y in x]


def other(z):
    return step(z), lambda x: x + 1


print(other(np.ones(3)))
"""


def changed(tmp_path: Path, line: int, before: str, after: str, text: str = PROGRAM) -> bool:
    """Whether this change of a line is sound."""
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    column = text.splitlines()[line - 1].index(before)
    start, end = Position(line=line, column=column), Position(line=line, column=column + len(before))
    return sound([Edit(file=str(path), start=start, end=end, replacement=after)], Sources())


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        (7, "kept.append(x)", "kept.append(np.exp(x))"),
        (7, "kept.append(x)", "new = x * 2"),
        (12, "lambda x: x + 1", "[x for x in z]"),
        (15, "other", "step"),
    ],
)
def test_names_that_are_there_can_be_used(line: int, before: str, after: str, tmp_path: Path) -> None:
    assert changed(tmp_path, line, before, after)


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        (15, "np.ones(3)", "image"),
        (12, "step(z)", "step(x)"),
        (7, "kept.append(x)", "kept = kept + [x]"),
        (7, "kept.append(x)", "kept.append(x"),
        (3, "kept = []", ""),
    ],
    ids=["nowhere bound", "bound elsewhere", "hides the global name", "no Python", "bound no more"],
)
def test_names_that_mean_nothing_there_or_something_else_make_it_unsound(
    line: int, before: str, after: str, tmp_path: Path
) -> None:
    assert not changed(tmp_path, line, before, after)


def test_a_star_import_may_bring_any_name(tmp_path: Path) -> None:
    text = "from layers import *\n" + PROGRAM
    assert changed(tmp_path, 16, "np.ones(3)", "image", text)
