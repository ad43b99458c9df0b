"""Runs every program in tests/programs: broken ones are explained at their marks, healthy ones are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import gaps, marks, plain_runs, selected
from support.runner import Runner

PROGRAMS = Path(__file__).parent / "programs"


def programs(kind: str) -> list[Path]:
    """The programs that can run here: files of their own, and folders with a `main.py`."""
    found = []
    for path in sorted((PROGRAMS / kind).rglob("*.py")):
        inside = next((parent for parent in path.parents if (parent / "main.py").exists()), None)
        if (inside is None or path == inside / "main.py") and marks.runs_here(path):
            found.append(path)
    return found


def name(program: Path) -> str:
    return (program.parent if program.name == "main.py" else program.with_suffix("")).relative_to(PROGRAMS).as_posix()


def files(program: Path) -> list[Path]:
    return sorted(program.parent.rglob("*.py")) if program.name == "main.py" else [program]


def kind(program: Path) -> tuple[str, frozenset[str]]:
    """The family of a broken program, and the reasons for which it is broken."""
    wanted = marks.expected(program.parent, files(program))
    return program.relative_to(PROGRAMS).parts[1], frozenset(code for code, _, _ in wanted)


BROKEN = selected.for_another_version(programs("broken"), kind, PROGRAMS)


@pytest.mark.parametrize("program", gaps.parameters(BROKEN, PROGRAMS.parents[1]))
def test_a_broken_program_is_explained_at_its_marks_and_nowhere_else(program: Path, runner: Runner) -> None:
    result = runner.run(program)
    assert result.report is not None, result.stderr
    wanted = marks.expected(program.parent, files(program))
    assert wanted, "a broken program has a `# why: TWnnn` mark"
    missing, unexpected = marks.unmet(wanted, result.report.diagnoses, program.parent)
    assert not missing and not unexpected, result.account()
    assert result.faults() == (), result.account()


@pytest.mark.parametrize("program", programs("healthy"), ids=name)
def test_a_healthy_program_runs_as_without_the_tool_and_nothing_is_reported(
    program: Path, runner: Runner, request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update-plain-runs"):
        plain_runs.record(name(program), files(program), runner.run(program, plain=True))
    result = runner.run(program)
    alone = plain_runs.alone(files(program), result, lambda: runner.run(program, plain=True))
    assert (result.exit_code, result.stdout) == (alone.exit_code, alone.stdout), result.account()
    assert result.grave() == (), result.account()
    assert result.faults() == (), result.account()
