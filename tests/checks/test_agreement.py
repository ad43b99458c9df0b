"""The text is never said to do what a run of it does not: all programs of the catalogue and of the tests are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.marks import expected, unmet
from tensorwhy.pipeline.checking import check

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("tests/programs/broken", "tests/programs/healthy", "examples", "src/tensorwhy/reasons", "docs")


@pytest.mark.parametrize("name", _FOLDERS)
def test_only_what_a_run_finds_is_found(name: str):
    folder = _ROOT / name
    files = [path for path in sorted(folder.rglob("*.py")) if "build" not in path.parts]
    report = check(map(str, files), str(folder))
    _, unexpected = unmet(expected(folder, files), report.diagnoses, folder)
    assert unexpected == []
    assert report.coverage.unobserved == ()
