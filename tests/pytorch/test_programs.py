"""Runs every program that uses PyTorch: broken ones are explained at their marks, healthy ones are left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support import edits, marks, plain_runs
from support.chance import without_chance
from support.runner import Runner
from tensorwhy import reasons, rendering

PROGRAMS = Path(__file__).parents[1] / "programs" / "torch"
REASONS = Path(reasons.__path__[0])
BROKEN = sorted(filter(marks.runs_here, (PROGRAMS / "broken").rglob("*.py")))
HEALTHY = sorted(filter(marks.runs_here, (PROGRAMS / "healthy").rglob("*.py")))
TAUGHT = sorted(REASONS.glob("tw*/broken_torch*.py"))
REPAIRED = sorted(REASONS.glob("tw*/fixed_torch*.py"))


def name(program: Path) -> str:
    return f"{program.parent.name}/{program.stem}"


@pytest.mark.parametrize("program", [*TAUGHT, *BROKEN], ids=name)
def test_a_broken_program_is_explained_at_its_marks_and_nowhere_else(program: Path, runner: Runner) -> None:
    result = runner.explained(program)
    assert result.report is not None, result.stderr
    wanted = marks.expected(program.parent, [program])
    assert wanted, "a broken program has a `# why: TWnnn` mark"
    missing, unexpected = marks.unmet(wanted, result.report.diagnoses, program.parent)
    assert not missing and not unexpected, result.account()
    assert result.faults() == (), result.account()


@pytest.mark.parametrize("program", [*REPAIRED, *HEALTHY], ids=name)
def test_a_healthy_program_runs_as_without_the_tool_and_nothing_is_reported(
    program: Path, runner: Runner, request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update-plain-runs"):
        plain_runs.record(f"torch/{name(program)}", [program], runner.run(program, plain=True))
    result = runner.run(program)
    alone = plain_runs.alone([program], result, lambda: runner.run(program, plain=True))
    assert alone.exit_code == 0, alone.account()
    assert (result.exit_code, result.stdout) == (alone.exit_code, alone.stdout), result.account()
    assert result.grave() == (), result.account()
    assert result.faults() == (), result.account()


@pytest.mark.parametrize("program", TAUGHT, ids=name)
def test_an_edit_makes_a_broken_program_behave_as_the_fixed_one(program: Path, runner: Runner, tmp_path: Path) -> None:
    before = runner.explained(program)
    assert before.report is not None, before.stderr
    changing = [fix for each in before.report.diagnoses for fix in each.fixes if fix.edits]
    assert all(fix.caveat for fix in changing), "an edit says when it would be wrong"
    for choice in range(edits.choices(before.report.diagnoses)):
        copy = tmp_path / f"{program.stem}_{choice}.py"
        if edits.repaired(program, before.report.diagnoses, copy, choice):
            after = runner.run(copy)
            assert (after.exit_code, after.grave()) == (0, ()), f"{after.account()}\n{copy.read_text()}"


@pytest.mark.parametrize("program", TAUGHT, ids=name)
def test_the_explanation_is_what_the_terminal_shows(
    program: Path, runner: Runner, request: pytest.FixtureRequest
) -> None:
    report = runner.explained(program).report
    assert report is not None
    options = rendering.Options(width=100, base=str(program.parent))
    shown = rendering.renderer("terminal")(without_chance(report), options)
    snapshot = program.with_name(program.name.replace("broken_", "explanation_")).with_suffix(".txt")
    if request.config.getoption("--update-explanations"):
        snapshot.write_text(shown, encoding="utf-8")
    assert snapshot.exists(), "run `make explanations`, and read what it wrote"
    if sys.version_info[:2] == (3, 11):  # the columns of a `with` differ
        assert shown == snapshot.read_text(encoding="utf-8")
