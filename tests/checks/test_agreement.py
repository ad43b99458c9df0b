"""The text is never said to do what a run of it does not: all programs of the catalogue and of the tests are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.marks import expected, unmet
from tensorwhy.model.report import Report
from tensorwhy.pipeline.checking import check

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("tests/programs/broken", "tests/programs/healthy", "examples", "src/tensorwhy/reasons")
_FOUND = Path(__file__).parent / "found.txt"


def _files(name: str) -> list[Path]:
    return sorted((_ROOT / name).rglob("*.py"))


def _read(name: str) -> Report:
    return check(map(str, _files(name)), name)


@pytest.mark.parametrize("name", _FOLDERS)
def test_only_what_a_run_finds_is_found(name: str) -> None:
    folder, report = _ROOT / name, _read(name)
    _, unexpected = unmet(expected(folder, _files(name)), report.diagnoses, folder)
    assert unexpected == []
    assert report.coverage.unobserved == ()


def test_what_the_text_tells_of_the_programs_is_found_as_before(request: pytest.FixtureRequest) -> None:
    found = []
    for each in (diagnosis for name in _FOLDERS for diagnosis in _read(name).diagnoses):
        assert each.primary is not None
        found.append(
            f"{Path(each.primary.file).relative_to(_ROOT).as_posix()}:{each.primary.line}: {each.severity} {each.code}"
        )
    text = "\n".join(sorted(found)) + "\n"
    if request.config.getoption("--update-explanations"):
        _FOUND.write_text(text, encoding="utf-8")
    assert text == _FOUND.read_text(encoding="utf-8")
