"""A framework that nobody had in mind gets answers from one adapter folder and its words alone.

`site-packages/toygrad.py` is a small autodiff library, `site-packages/adapters/toygrad` its adapter. Nothing in
`src/tensorwhy` knows of either.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest

from support import marks
from support.runner import SOURCES, Result, environment
from tensorwhy.model.report import Report

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


@functools.cache
def explained(program: Path) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        return _run(program, Path(folder) / "report.json")


def _run(program: Path, report: Path) -> Result:
    command = [sys.executable, str(HERE / "start.py"), "run", "--format", "json", "--output", str(report), str(program)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, timeout=60)
    return Result(done.returncode, done.stdout, done.stderr, msgspec.json.decode(report.read_bytes(), type=Report))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_of_a_new_framework_is_explained_at_its_marks_and_nowhere_else(program: Path) -> None:
    result = explained(program)
    assert result.report is not None
    assert result.report.environment.frameworks == {"toygrad": "0.1"}
    missing, unexpected = marks.unmet(
        marks.expected(program.parent, [program]), result.report.diagnoses, program.parent
    )
    assert not missing and not unexpected, result.account()
    assert result.faults() == (), result.account()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_is_explained_in_the_words_of_its_adapter(program: Path) -> None:
    report = explained(program).report
    assert report is not None
    said = msgspec.json.encode([(d.message, d.primary, d.related, d.notes, d.fixes) for d in report.diagnoses]).decode()
    said = said.replace(str(HERE), "")
    for word in ("tensorflow", "keras", "torch", "tape", "tf.", "variable"):
        assert word not in said.lower(), said


def test_nothing_in_the_package_knows_it() -> None:
    named = [file.name for file in SOURCES.rglob("*.py") if "toygrad" in file.read_text(encoding="utf-8")]
    assert named == []
