"""Runs the long examples: each broken one is explained at its marks, and its repaired twin is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import gaps, marks
from support.runner import Runner

EXAMPLES = Path(__file__).parents[1] / "examples"
PAIRS = sorted(path.parent for path in EXAMPLES.glob("*/broken.py"))


def test_there_are_a_dozen_pairs() -> None:
    assert len(PAIRS) >= 12
    assert all((folder / "repaired.py").exists() for folder in PAIRS)


@pytest.mark.parametrize("program", gaps.parameters([folder / "broken.py" for folder in PAIRS], EXAMPLES.parent))
def test_a_broken_example_is_explained_at_its_marks_and_nowhere_else(program: Path, runner: Runner) -> None:
    result = runner.run(program)
    assert result.report is not None, result.stderr
    missing, unexpected = marks.unmet(
        marks.expected(program.parent, [program]), result.report.diagnoses, program.parent
    )
    assert not missing and not unexpected, result.account()


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_a_repaired_example_runs_to_its_end_and_nothing_is_reported(folder: Path, runner: Runner) -> None:
    result = runner.run(folder / "repaired.py")
    assert result.exit_code == 0, result.account()
    assert result.grave() == (), result.account()
