"""Runs every reason folder: what each reason claims about its programs, documents and fixes holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import edits, marks
from support.chance import without_chance
from support.runner import Runner
from tensorwhy import rendering
from tensorwhy.diagnosis.reason import Reason
from tensorwhy.reasons import catalogue

HEADINGS = ("What happened", "Why", "How to confirm", "Fix", "When this fix is wrong", "References")

CHECK = re.compile(r"^\s*(assert |(np|tf)\.(testing|debugging)\.)", re.MULTILINE)
REASONS = catalogue()
every_reason = pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.folder.name)


def programs(which: str) -> list[Path]:
    """The programs of this kind that can run with what is installed."""
    found = (path for reason in REASONS for path in sorted(reason.folder.glob(f"{which}_*.py")))
    return [path for path in found if marks.runs_here(path)]


def each(paths: list[Path]):
    """One test per program; the tests of one folder meet in one worker, and share a run."""
    return pytest.mark.parametrize(
        "program",
        [pytest.param(path, marks=pytest.mark.xdist_group(path.parent.name)) for path in paths],
        ids=[f"{path.parent.name}/{path.stem}" for path in paths],
    )


@every_reason
def test_a_folder_is_named_after_its_code_and_slug(reason: Reason) -> None:
    assert reason.folder.name == f"{reason.meta.code}_{reason.meta.slug}".lower().replace("-", "_")
    assert re.fullmatch(r"TW\d{3}", reason.meta.code)
    assert reason.meta.summary.strip()


@every_reason
def test_a_reason_has_a_broken_and_a_fixed_program(reason: Reason) -> None:
    broken = {path.name.removeprefix("broken_") for path in reason.folder.glob("broken_*.py")}
    fixed = {path.name.removeprefix("fixed_") for path in reason.folder.glob("fixed_*.py")}
    if reason.meta.family == "unexplained":  # what no rule explains cannot be shown: tests/diagnosis has its test
        assert not broken and not fixed
    else:
        assert broken == fixed and broken


@every_reason
def test_the_page_has_its_title_and_every_heading_filled(reason: Reason) -> None:
    page = (reason.folder / "reason.md").read_text(encoding="utf-8")
    assert page.partition("\n")[0] == f"# {reason.meta.code} {reason.meta.slug}"
    sections = dict(re.findall(r"^## (.+?)\s*$\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert tuple(sections) == HEADINGS
    without_comments = {name: re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL) for name, text in sections.items()}
    assert [name for name, text in without_comments.items() if not text.strip()] == []


@each(programs("broken"))
def test_the_broken_program_yields_its_code_at_the_marked_line(program: Path, runner: Runner) -> None:
    wanted = marks.expected(program.parent, [program])
    code = program.parent.name.partition("_")[0].upper()
    assert code in {mark[0] for mark in wanted}, f"no line is marked `# why: {code}`"
    result = runner.explained(program)
    assert result.report is not None, result.stderr
    missing, unexpected = marks.unmet(wanted, result.report.diagnoses, program.parent)
    assert not missing and not unexpected, result.account()


@each(programs("fixed"))
def test_the_fixed_program_checks_itself_and_yields_nothing(program: Path, runner: Runner) -> None:
    assert CHECK.search(program.read_text(encoding="utf-8")), "a fixed program asserts that what was lost is there"
    result = runner.run(program)
    assert result.exit_code == 0, result.account()
    assert result.grave() == (), result.account()


REPAIRABLE = sorted({path.parent for path in programs("broken") if (path.parent / "fix.py").exists()})


@pytest.mark.parametrize(
    "folder", [pytest.param(each, marks=pytest.mark.xdist_group(each.name), id=each.name) for each in REPAIRABLE]
)
def test_each_fix_makes_a_broken_program_behave_as_the_fixed_one(folder: Path, runner: Runner, tmp_path: Path) -> None:
    tried = 0
    for program in (path for path in programs("broken") if path.parent == folder):
        before = runner.explained(program)
        assert before.report is not None, before.stderr
        changing = [fix for each in before.report.diagnoses for fix in each.fixes if fix.edits]
        assert all(fix.caveat for fix in changing), "an edit says when it would be wrong"
        for choice in range(edits.choices(before.report.diagnoses)):
            copy = tmp_path / f"{program.stem}_{choice}.py"
            if not edits.repaired(program, before.report.diagnoses, copy, choice):
                continue
            tried += 1
            after = runner.run(copy)
            assert (after.exit_code, after.grave()) == (0, ()), f"{after.account()}\n{copy.read_text(encoding='utf-8')}"
    assert tried, "a reason with a fix.py proposes an edit for one of its broken programs"


def explained() -> list[Path]:
    """One broken program per reason."""
    if not marks.snapshots_hold():
        return []
    first = {path.parent: path for path in reversed(programs("broken"))}
    return sorted(first.values())


@each(explained())
def test_the_explanation_is_what_the_terminal_shows(
    program: Path, runner: Runner, request: pytest.FixtureRequest
) -> None:
    shown = explanation(program, runner)
    snapshot = program.parent / "explanation.txt"
    if request.config.getoption("--update-explanations"):
        snapshot.write_text(shown, encoding="utf-8")
    assert snapshot.exists(), "run `make explanations`, and read what it wrote"
    assert shown == snapshot.read_text(encoding="utf-8")


def explanation(program: Path, runner: Runner) -> str:
    """What the terminal shows, without colours, to somebody who started the program in its own folder."""
    report = runner.explained(program).report
    assert report is not None
    return rendering.renderer("terminal")(
        without_chance(report), rendering.Options(width=100, base=str(program.parent))
    )
