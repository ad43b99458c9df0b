"""Several files are written as one: all of them or none, whatever comes in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tensorwhy.fixes import writing

OLD, NEW = b"old = 1\n", b"new = 2\n"


@pytest.fixture
def program(tmp_path: Path) -> list[Path]:
    """Three files of a program, in two folders."""
    (tmp_path / "parts").mkdir()
    paths = [tmp_path / "main.py", tmp_path / "parts" / "model.py", tmp_path / "train.py"]
    for path in paths:
        path.write_bytes(OLD)
    return paths


def contents(paths: list[Path]) -> dict[str, tuple[bytes, bytes]]:
    return {str(path): (OLD, NEW) for path in paths}


def held(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def failing(monkeypatch: pytest.MonkeyPatch, path: Path, good: int = 0) -> None:
    """One rename onto this file fails, after so many good ones."""
    rename, left = os.replace, [good]

    def replace(source: str, target: str) -> None:
        if target == str(path):
            left[0] -= 1
            if left[0] == -1:
                raise PermissionError(13, "Permission denied", target)
        rename(source, target)

    monkeypatch.setattr(os, "replace", replace)


def killed(program: list[Path], folder: Path, renames: int) -> None:
    """A process that is killed when it has renamed so many files."""
    code = f"""
import os, signal
from tensorwhy.fixes import writing
rename, left = os.replace, [{renames} + 1]  # the first is that of the journal
def replace(source, target):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    rename(source, target)
os.replace = replace
writing.write({str(folder)!r}, {contents(program)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


def test_all_files_get_their_new_contents_and_keep_their_permissions(program: list[Path], tmp_path: Path) -> None:
    program[1].chmod(0o640)
    writing.write(str(tmp_path), contents(program))
    assert held(program) == [NEW, NEW, NEW]
    assert program[1].stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["main.py", "model.py", "train.py"]


def test_where_a_rename_fails_the_files_renamed_before_are_put_back(
    program: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, program[2])
    with pytest.raises(writing.Unwritten, match=r"train\.py: cannot be written"):
        writing.write(str(tmp_path), contents(program))
    assert held(program) == [OLD, OLD, OLD]
    assert names(tmp_path) == ["main.py", "model.py", "train.py"]


def test_where_one_file_was_changed_meanwhile_none_is_written(program: list[Path], tmp_path: Path) -> None:
    program[1].write_bytes(b"edited = 3\n")
    with pytest.raises(writing.Unwritten, match=r"model\.py was changed"):
        writing.write(str(tmp_path), contents(program))
    assert held(program) == [OLD, b"edited = 3\n", OLD]
    assert names(tmp_path) == ["main.py", "model.py", "train.py"]


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_what_a_killed_run_had_written_is_put_back(program: list[Path], tmp_path: Path, renames: int) -> None:
    killed(program, tmp_path, renames)
    assert held(program) == [NEW] * renames + [OLD] * (3 - renames)
    assert writing.interrupted(str(tmp_path))
    assert writing.put_back(str(tmp_path)) == ()
    assert held(program) == [OLD, OLD, OLD]
    assert names(tmp_path) == ["main.py", "model.py", "train.py"]


def test_what_a_killed_run_had_written_completely_stays(program: list[Path], tmp_path: Path) -> None:
    killed(program, tmp_path, 1)
    for path in program:
        path.write_bytes(NEW)
    assert writing.put_back(str(tmp_path)) == ()
    assert held(program) == [NEW, NEW, NEW]
    assert names(tmp_path) == ["main.py", "model.py", "train.py"]


def test_what_was_edited_after_a_killed_run_stays(program: list[Path], tmp_path: Path) -> None:
    killed(program, tmp_path, 2)
    program[0].write_bytes(b"edited = 3\n")
    assert writing.put_back(str(tmp_path)) == (str(program[0]),)
    assert held(program) == [b"edited = 3\n", OLD, OLD]


def test_nothing_is_written_beside_the_journal_of_a_killed_run(program: list[Path], tmp_path: Path) -> None:
    killed(program, tmp_path, 1)
    with pytest.raises(writing.Unwritten, match="interrupted"):
        writing.write(str(tmp_path), {str(program[2]): (OLD, NEW)})
    assert held(program) == [NEW, OLD, OLD]


def test_files_that_could_not_be_put_back_are_put_back_by_the_next_run(
    program: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(program, tmp_path, 2)
    failing(monkeypatch, program[1])
    with pytest.raises(writing.Unwritten, match=r"model\.py: cannot be put back"):
        writing.put_back(str(tmp_path))
    assert writing.put_back(str(tmp_path)) == ()
    assert held(program) == [OLD, OLD, OLD]


def test_a_write_that_can_not_even_be_put_back_is_put_back_by_the_next_run(
    program: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, program[1])
    failing(monkeypatch, program[0], good=1)
    with pytest.raises(writing.Unwritten, match=r"main\.py: can neither be written nor put back"):
        writing.write(str(tmp_path), contents(program))
    assert writing.put_back(str(tmp_path)) == ()
    assert held(program) == [OLD, OLD, OLD]


@pytest.mark.parametrize("journal", [b"", b"[1]", b"{"])
def test_what_is_no_journal_is_refused(program: list[Path], tmp_path: Path, journal: bytes) -> None:
    (tmp_path / writing.JOURNAL).write_bytes(journal)
    with pytest.raises(writing.Unwritten, match="cannot be read"):
        writing.put_back(str(tmp_path))
    assert held(program) == [OLD, OLD, OLD]


def test_a_journal_about_other_folders_is_refused(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside.py", tmp_path / "program"
    folder.mkdir()
    outside.write_bytes(NEW)
    (folder / "other.py").write_bytes(OLD)
    entries = [
        {"path": str(path), "temporary": str(folder / ".tensorwhy-1"), "before": OLD, "after": NEW}
        for path in (outside, folder / "other.py")
    ]
    (folder / writing.JOURNAL).write_bytes(msgspec.json.encode(entries))
    with pytest.raises(writing.Unwritten, match="outside"):
        writing.put_back(str(folder))
    assert outside.read_bytes() == NEW


def test_two_runs_do_not_write_at_the_same_time(program: list[Path], tmp_path: Path) -> None:
    with writing._alone(str(tmp_path)), pytest.raises(writing.Unwritten, match="another run"):
        writing.write(str(tmp_path), contents(program))
    assert held(program) == [OLD, OLD, OLD]
