"""The tests' own machinery: marks, version conditions and edits mean what programs rely on."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import edits, marks
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Diagnosis, Edit, Position, Severity, Symptom


def diagnosis(file: Path, line: int, end_line: int, code: str = "TW101", severity: Severity = "error") -> Diagnosis:
    return Diagnosis(
        id="d1", code=code, slug="s", family="gradient", severity=severity, certainty="proved", message="m",
        primary=Marked(file=str(file), line=line, end_line=end_line), symptom=Symptom(kind="none-gradient"),
    )  # fmt: skip


def edit(start: tuple[int, int], end: tuple[int, int], replacement: str) -> Edit:
    return Edit(
        file="f.py",
        start=Position(line=start[0], column=start[1]),
        end=Position(line=end[0], column=end[1]),
        replacement=replacement,
    )


def test_one_line_may_expect_several_codes(tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("a = 1\nb = 2  # why: TW101, TW102\n# why: not a code\n")
    assert marks.expected(tmp_path, [program]) == {("TW101", "p.py", 2), ("TW102", "p.py", 2)}


def test_a_mark_is_met_anywhere_in_the_primary_range_of_its_code(tmp_path: Path) -> None:
    found = (diagnosis(tmp_path / "p.py", 3, 5),)
    assert marks.unmet({("TW101", "p.py", 5)}, found, tmp_path) == (set(), [])


@pytest.mark.parametrize("mark", [("TW101", "p.py", 6), ("TW102", "p.py", 3), ("TW101", "q.py", 3)])
def test_a_mark_of_another_line_code_or_file_is_missed(tmp_path: Path, mark: marks.Mark) -> None:
    missing, unexpected = marks.unmet({mark}, (diagnosis(tmp_path / "p.py", 3, 5),), tmp_path)
    assert missing == {mark} and len(unexpected) == 1


def test_a_note_need_not_be_marked(tmp_path: Path) -> None:
    assert marks.unmet(set(), (diagnosis(tmp_path / "p.py", 3, 5, severity="note"),), tmp_path) == (set(), [])


@pytest.mark.parametrize(
    ("comment", "runs"),
    [
        ("tf>=2.8", True),
        ("tf<2.8", False),
        ("tf>=2.8, python<3.10", False),
        ("pytest", True),
        ("no_such_module", False),
        ("python>=3.10, tf>=2.8", True),
    ],
)
def test_a_program_runs_where_all_its_requirements_hold(tmp_path: Path, comment: str, runs: bool) -> None:
    program = tmp_path / "p.py"
    program.write_text(f"# requires: {comment}\n")
    assert marks.runs_here(program) is runs


def test_an_unreadable_requirement_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text("# requires: tf~2.8\n")
    with pytest.raises(ValueError, match=r"tf~2\.8"):
        marks.runs_here(program)


def test_edits_are_applied_at_their_own_positions_in_any_order() -> None:
    text = "import tensorflow\nx = 1\ny = 2\n"
    made = [edit((2, 0), (2, 1), "first"), edit((3, 4), (3, 5), "3"), edit((3, 0), (3, 0), "# ")]
    assert edits.apply(text, made) == "import tensorflow\nfirst = 1\n# y = 3\n"


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(AssertionError, match="overlap"):
        edits.apply("abcdef\n", [edit((1, 0), (1, 4), ""), edit((1, 2), (1, 5), "")])
