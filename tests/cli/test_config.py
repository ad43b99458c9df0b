"""`[tool.tensorwhy]` in pyproject.toml gives commands their defaults, and nothing that could do harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.test_check import TWICE, UNWATCHED, check, lines
from cli.test_input import assert_refused, tensorwhy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "twice.py").write_text(TWICE)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "unwatched.py").write_text(UNWATCHED)
    return tmp_path


def configure(folder: Path, table: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.tensorwhy]\n{table}\n")


def test_a_project_selects_what_is_told(folder: Path) -> None:
    configure(folder, 'select = ["not-watched"]')
    assert lines(check("--format", "concise", cwd=folder)) == ["old/unwatched.py:3:5:TW101"]


def test_a_project_ignores_and_excludes(folder: Path) -> None:
    configure(folder, 'ignore = ["TW120"]\nexclude = ["old"]')
    done = check(cwd=folder)
    assert (done.returncode, done.stdout) == (0, "tensorwhy: nothing found; 1 file read, nothing run\n")


def test_options_go_before_the_project(folder: Path) -> None:
    configure(folder, 'ignore = ["TW120"]')
    assert len(lines(check("--format", "concise", "--ignore", "TW101", cwd=folder))) == 1
    assert len(lines(check("--format", "concise", "--select", "TW120", cwd=folder))) == 1


def test_the_nearest_project_above_counts_with_its_own_paths(folder: Path) -> None:
    configure(folder, 'exclude = ["old/unwatched.py"]')
    (folder / "here").mkdir()
    assert lines(check("--format", "concise", "..", cwd=folder / "here"))[0].endswith("twice.py:7:5:TW120")


def test_a_repository_ends_the_search(folder: Path) -> None:
    configure(folder, "nonsense = 1")
    (folder / "old" / ".git").mkdir()
    assert check(cwd=folder / "old").returncode == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('output = "/tmp/written"', ["unknown field `output`", "known settings: select, "]),
        ('select = "TW101"', ["Expected `array", "$.select"]),
        ('select = ["TW999"]', ["TW999", "explain --list"]),
        ('record = "some"', ["'some'", "$.record"]),
        ("x = " + "[" * 5000, ["not TOML"]),
        ("select = [", ["not TOML"]),
    ],
)
def test_what_a_project_must_not_say_is_refused(folder: Path, table: str, words: list[str]) -> None:
    configure(folder, table)
    for command in (["check"], ["run", "twice.py"], ["fix", "twice.py"]):
        assert_refused(tensorwhy(*command, cwd=folder), "pyproject.toml" if "TW999" not in table else "TW999", *words)


def test_other_projects_are_left_alone(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project\n")
    assert check(cwd=folder).returncode == 1


def test_a_run_tells_what_is_selected(folder: Path) -> None:
    program = folder / "program.py"
    program.write_text("raise SystemExit(3)\n")
    configure(folder, 'fail-on = "warning"')
    done = tensorwhy("run", "--ignore", "TW101", "-v", "program.py", cwd=folder)
    assert done.returncode == 3


@pytest.mark.parametrize(
    "text",
    [
        '[tool.tensorwhy]\nexclude = ["' + "[a-" * 100_000 + '"]',
        "[tool.tensorwhy]\nexclude = [" + '"a*b", ' * 90_000 + "]",
        "[tool.tensorwhy]\n" + "a." * 400_000 + "b = 1",
    ],
    ids=["long pattern", "many patterns", "long name"],
)
def test_a_project_cannot_hold_a_command_up(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    assert_refused(check(cwd=folder), "pyproject.toml")
