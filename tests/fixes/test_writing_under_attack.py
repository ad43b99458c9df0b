"""Killed at any moment, edited at any moment, given anything: no file is half-written, or loses somebody's edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensorwhy.fixes import exchange, journal, writing

OLD, NEW, EDIT = b"old = 1\n" * 1000, b"new = 2\n" * 1000, b"edited = 3\n"
OWN = (writing.__file__, journal.__file__, exchange.__file__)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no forks, and no signals, to kill with")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of three files; journals go to a folder beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    (tmp_path / "tree" / "parts").mkdir(parents=True)
    renew(tmp_path / "tree")
    return tmp_path / "tree"


def files(tree: Path) -> list[Path]:
    return [tree / "main.py", tree / "parts" / "model.py", tree / "train.py"]


def renew(tree: Path) -> None:
    for file in files(tree):
        file.write_bytes(OLD)


def held(tree: Path) -> list[bytes]:
    return [file.read_bytes() for file in files(tree)]


def write(tree: Path) -> None:
    writing.write(str(tree), {str(file): (OLD, NEW) for file in files(tree)})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def at_line(number: int, act: Callable[[], None]) -> tuple[Any, list[int]]:
    """A trace function that acts once, before the given line of our own is run; and the count of lines so far."""
    seen = [0]

    def trace(frame: Any, event: str, argument: object) -> Any:
        if frame.f_code.co_filename not in OWN:
            return None
        if event == "line":
            seen[0] += 1
            if seen[0] == number:
                act()
        return trace

    return trace, seen


def traced(number: int, act: Callable[[], None], tree: Path) -> int:
    """Write, and act before this line. Gives how many lines there were."""
    trace, seen = at_line(number, act)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write(tree)
    except writing.Unwritten:
        pass
    finally:
        sys.settrace(before)
    return seen[0]


KILLED = """
import os, sys
from pathlib import Path
from fixes import test_writing_under_attack as attack
tree = Path(sys.argv[1])
os.fsync = lambda handle: None
lines = attack.traced(0, lambda: None, tree)
assert attack.held(tree) == [attack.NEW] * 3 and lines > 100, lines
for number in range(1, lines + 1):
    attack.renew(tree)
    child = os.fork()
    if not child:
        attack.traced(number, lambda: os.kill(os.getpid(), 9), tree)
        os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == 9, number
    now = attack.held(tree)
    assert set(now) <= {attack.OLD, attack.NEW}, number
    if attack.writing.interrupted(str(tree)):
        assert attack.writing.put_back(str(tree)) == (), number
        now = attack.held(tree)
    assert len(set(now)) == 1, number
    assert attack.names(tree) == ["main.py", "model.py", "train.py"], (number, attack.names(tree))
"""


def test_killed_before_any_line_all_files_or_none_are_written(tree: Path) -> None:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tree)], env=os.environ | {"PYTHONPATH": path}, timeout=300, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


KILLED_FROM_OUTSIDE = """
import os, random, sys, time
from pathlib import Path
from fixes import test_writing_under_attack as attack
tree = Path(sys.argv[1])
began = time.monotonic()
attack.write(tree)
took = time.monotonic() - began
for number in range(50):
    attack.renew(tree)
    child = os.fork()
    if not child:
        attack.write(tree)
        os._exit(0)
    time.sleep(random.uniform(0, 2 * took))
    os.kill(child, 9)
    os.waitpid(child, 0)
    if attack.writing.interrupted(str(tree)):
        assert attack.writing.put_back(str(tree)) == (), number
    assert attack.held(tree) in ([attack.OLD] * 3, [attack.NEW] * 3), number
    assert attack.names(tree) == ["main.py", "model.py", "train.py"], (number, attack.names(tree))
"""


def test_killed_at_any_moment_all_files_or_none_are_written(tree: Path) -> None:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", KILLED_FROM_OUTSIDE, str(tree)], env=os.environ | {"PYTHONPATH": path}, timeout=300,
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def saved_in_place(file: Path) -> None:
    file.write_bytes(EDIT)


def saved_by_renaming(file: Path) -> None:
    file.with_suffix(".new").write_bytes(EDIT)
    file.with_suffix(".new").rename(file)


@pytest.mark.parametrize("save", [saved_in_place, saved_by_renaming])
def test_an_edit_before_any_line_stays(tree: Path, save: Callable[[Path], None]) -> None:
    file = files(tree)[1]
    lines = traced(0, lambda: None, tree)
    for number in range(1, lines + 1):
        renew(tree)
        traced(number, lambda: save(file), tree)
        others = {files(tree)[0].read_bytes(), files(tree)[2].read_bytes()}
        assert file.read_bytes() == EDIT, number
        assert others in ({OLD}, {NEW}), number
        assert names(tree) == ["main.py", "model.py", "train.py"], number


def test_where_files_cannot_be_exchanged_they_are_replaced(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "exchanged", lambda one, other: False)
    write(tree)
    assert held(tree) == [NEW] * 3
    assert names(tree) == ["main.py", "model.py", "train.py"]


TWICE = """
import sys
from pathlib import Path
from fixes import test_writing_under_attack as attack
print("ready", flush=True)
sys.stdin.readline()
try:
    attack.write(Path(sys.argv[1]))
    print("wrote")
except attack.writing.Unwritten as error:
    print(error)
"""


def test_of_two_runs_at_once_one_writes(tree: Path) -> None:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", TWICE, str(tree)], env=os.environ | {"PYTHONPATH": path}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    for run in runs:
        assert run.stdout is not None and run.stdout.readline() == "ready\n"
    answers = [run.communicate("\n", timeout=60)[0] for run in runs]
    assert sum(answer == "wrote\n" for answer in answers) == 1, answers
    assert held(tree) == [NEW] * 3
    assert names(tree) == ["main.py", "model.py", "train.py"]


@pytest.mark.parametrize("name", [".tensorwhy-fix.json", "state.json", ".local/state/tensorwhy/writes/0.json"])
def test_a_journal_in_the_tree_is_a_file_like_any_other(tree: Path, name: str) -> None:
    place = tree / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"tree": str(tree), "entries": []}))
    assert not writing.interrupted(str(tree))
    write(tree)
    assert place.exists()


@pytest.mark.parametrize("home", ["tree", "tree/.local/state"])
def test_a_state_folder_in_the_tree_holds_no_journal(tree: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    write(tree)
    monkeypatch.setenv("XDG_STATE_HOME", str(tree.parent / home))
    monkeypatch.setattr(tempfile, "tempdir", str(tree))
    renew(tree)
    with pytest.raises(writing.Unwritten, match="no folder outside"):
        write(tree)
    assert held(tree) == [OLD] * 3


def test_a_state_folder_that_others_may_write_to_holds_no_journal(tree: Path) -> None:
    write(tree)
    (folder,) = (tree.parent / "state").rglob("writes")
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    renew(tree)
    write(tree)
    assert list(folder.iterdir()) == []
    assert held(tree) == [NEW] * 3


def linked(tree: Path) -> Path:
    (tree.parent / "outside.py").write_bytes(OLD)
    (tree / "link.py").symlink_to(tree.parent / "outside.py")
    return tree / "link.py"


def linked_inside(tree: Path) -> Path:
    (tree / "link.py").symlink_to(tree / "main.py")
    return tree / "link.py"


def behind_a_link(tree: Path) -> Path:
    (tree.parent / "other").mkdir()
    (tree.parent / "other" / "model.py").write_bytes(OLD)
    (tree / "sub").symlink_to(tree.parent / "other")
    return tree / "sub" / "model.py"


def outside(tree: Path) -> Path:
    (tree.parent / "outside.py").write_bytes(OLD)
    return tree / ".." / "outside.py"


def hidden(tree: Path) -> Path:
    (tree / ".git" / "hooks").mkdir(parents=True)
    (tree / ".git" / "hooks" / "hook.py").write_bytes(OLD)
    return tree / ".git" / "hooks" / "hook.py"


def hidden_file(tree: Path) -> Path:
    (tree / ".rc.py").write_bytes(OLD)
    return tree / ".rc.py"


def no_source(tree: Path) -> Path:
    (tree / "setup.cfg").write_bytes(OLD)
    return tree / "setup.cfg"


def pipe(tree: Path) -> Path:
    os.mkfifo(tree / "pipe.py")
    return tree / "pipe.py"


@pytest.mark.parametrize(
    "make",
    [linked, linked_inside, behind_a_link, outside, hidden, hidden_file, no_source, pipe],
    ids=lambda f: f.__name__,
)
def test_only_sources_of_the_tree_are_written(tree: Path, make: Callable[[Path], Path]) -> None:
    file = make(tree)
    with pytest.raises(writing.Unwritten):
        writing.write(str(tree), {str(files(tree)[0]): (OLD, NEW), str(file): (OLD, NEW)})
    assert held(tree) == [OLD] * 3
    assert not file.is_file() or file.read_bytes() == OLD


def test_the_tree_may_be_reached_through_a_link(tree: Path) -> None:
    (tree.parent / "link").symlink_to(tree)
    write(tree.parent / "link")
    assert held(tree) == [NEW] * 3


def test_a_file_that_became_a_link_after_a_killed_run_is_left_alone(tree: Path) -> None:
    target = tree.parent / "outside.py"
    target.write_bytes(NEW)
    entry = journal.Entry(str(files(tree)[0]), str(tree / ".tensorwhy-0"), OLD, NEW)
    journal.save(os.path.realpath(tree), (entry,))
    files(tree)[0].unlink()
    files(tree)[0].symlink_to(target)
    with pytest.raises(writing.Unwritten, match="symbolic link"):
        writing.put_back(str(tree))
    assert target.read_bytes() == NEW
