"""Several files are written as one: all of them or none, whatever comes in between."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tensorwhy.fixes import writing

OLD, NEW = b"old = 1\n", b"new = 2\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a program; journals go to a folder beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


@pytest.fixture
def program(tree: Path) -> list[Path]:
    """Three files of a program, in two folders."""
    (tree / "parts").mkdir()
    paths = [tree / "main.py", tree / "parts" / "model.py", tree / "train.py"]
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
    """One exchange with this file fails, after so many good ones."""
    exchanged, left = writing.exchanged, [good]

    def exchange(one: str, other: str) -> bool:
        if other == str(path):
            left[0] -= 1
            if left[0] == -1:
                raise PermissionError(13, "Permission denied", other)
        return exchanged(one, other)

    monkeypatch.setattr(writing, "exchanged", exchange)


def killed(program: list[Path], folder: Path, exchanges: int) -> None:
    """A process that is killed when it has exchanged so many files."""
    code = f"""
import os, signal
from tensorwhy.fixes import writing
exchanged, left = writing.exchanged, [{exchanges}]
def exchange(one, other):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    return exchanged(one, other)
writing.exchanged = exchange
writing.write({str(folder)!r}, {contents(program)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


def test_all_files_get_their_new_contents_and_keep_their_permissions(program: list[Path], tree: Path) -> None:
    program[1].chmod(0o640)
    writing.write(str(tree), contents(program))
    assert held(program) == [NEW, NEW, NEW]
    assert program[1].stat().st_mode & 0o777 == 0o640
    assert names(tree) == ["main.py", "model.py", "train.py"]


def test_where_an_exchange_fails_the_files_exchanged_before_are_put_back(
    program: list[Path], tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, program[2])
    with pytest.raises(writing.Unwritten, match=r"train\.py: cannot be written"):
        writing.write(str(tree), contents(program))
    assert held(program) == [OLD, OLD, OLD]
    assert names(tree) == ["main.py", "model.py", "train.py"]


def test_where_one_file_was_changed_meanwhile_none_is_written(program: list[Path], tree: Path) -> None:
    program[1].write_bytes(b"edited = 3\n")
    with pytest.raises(writing.Unwritten, match=r"model\.py has changed"):
        writing.write(str(tree), contents(program))
    assert held(program) == [OLD, b"edited = 3\n", OLD]
    assert names(tree) == ["main.py", "model.py", "train.py"]


@pytest.mark.parametrize("exchanges", [0, 1, 2])
def test_what_a_killed_run_had_written_is_put_back(program: list[Path], tree: Path, exchanges: int) -> None:
    killed(program, tree, exchanges)
    assert held(program) == [NEW] * exchanges + [OLD] * (3 - exchanges)
    assert writing.interrupted(str(tree))
    assert writing.put_back(str(tree)) == ()
    assert held(program) == [OLD, OLD, OLD]
    assert names(tree) == ["main.py", "model.py", "train.py"]


def test_what_a_killed_run_had_written_completely_stays(program: list[Path], tree: Path) -> None:
    killed(program, tree, 1)
    for path in program:
        path.write_bytes(NEW)
    assert writing.put_back(str(tree)) == ()
    assert held(program) == [NEW, NEW, NEW]
    assert names(tree) == ["main.py", "model.py", "train.py"]


def test_what_was_edited_after_a_killed_run_stays(program: list[Path], tree: Path) -> None:
    killed(program, tree, 2)
    program[0].write_bytes(b"edited = 3\n")
    assert writing.put_back(str(tree)) == (str(program[0]),)
    assert held(program) == [b"edited = 3\n", OLD, OLD]


def test_nothing_is_written_beside_the_journal_of_a_killed_run(program: list[Path], tree: Path) -> None:
    killed(program, tree, 1)
    with pytest.raises(writing.Unwritten, match="interrupted"):
        writing.write(str(tree), {str(program[2]): (OLD, NEW)})
    assert held(program) == [NEW, OLD, OLD]


def test_files_that_could_not_be_put_back_are_put_back_by_the_next_run(
    program: list[Path], tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(program, tree, 2)
    failing(monkeypatch, program[1])
    with pytest.raises(writing.Unwritten, match=r"model\.py: cannot be restored"):
        writing.put_back(str(tree))
    assert writing.put_back(str(tree)) == ()
    assert held(program) == [OLD, OLD, OLD]


def test_a_write_that_can_not_even_be_put_back_is_put_back_by_the_next_run(
    program: list[Path], tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, program[1])
    failing(monkeypatch, program[0], good=1)
    with pytest.raises(writing.Unwritten, match=r"main\.py: can be neither written nor restored"):
        writing.write(str(tree), contents(program))
    assert writing.put_back(str(tree)) == ()
    assert held(program) == [OLD, OLD, OLD]


def test_a_damaged_journal_is_refused(program: list[Path], tree: Path) -> None:
    killed(program, tree, 1)
    (file,) = (tree.parent / "state").rglob("*.json")
    file.write_bytes(b"{")
    with pytest.raises(writing.Unwritten, match="cannot be read"):
        writing.put_back(str(tree))


def test_two_runs_do_not_write_at_the_same_time(program: list[Path], tree: Path) -> None:
    with writing._alone(str(tree)), pytest.raises(writing.Unwritten, match="another run"):
        writing.write(str(tree), contents(program))
    assert held(program) == [OLD, OLD, OLD]
