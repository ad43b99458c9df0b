"""`tensorwhy check` reads files, runs nothing, and writes only when told to."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.test_input import assert_refused, tensorwhy
from support.runner import environment
from tensorwhy.fixes import journal

TWICE = """\
import tensorflow as tf

raise SystemExit("it was run")


def step(v, w):
    with tf.GradientTape() as tape:
        y = v * w
    return tape.gradient(y, v), tape.gradient(y, w)
"""
UNWATCHED = """\
import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))
"""
HEALTHY = "import tensorflow as tf\n\nx = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "twice.py").write_text(TWICE)
    (tmp_path / "healthy.py").write_text(HEALTHY)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "unwatched.py").write_text(UNWATCHED)
    return tmp_path


def check(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return tensorwhy("check", *args, cwd=cwd)


def lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """File, line and code of each finding, in the order of the output."""
    return [f"{line.split(' ')[0]}{line.partition('[')[2][:5]}" for line in done.stdout.splitlines()]


def test_what_is_found_is_told_and_fails(folder: Path) -> None:
    done = check("--format", "concise", cwd=folder)
    assert done.returncode == 1
    assert lines(done) == ["package/unwatched.py:3:5:TW101", "twice.py:7:5:TW120"]
    assert done.stderr == ""


def test_nothing_found_is_one_line_and_success(folder: Path) -> None:
    done = check("healthy.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "tensorwhy: nothing found; 1 file read, nothing run\n")


def test_one_file_of_a_folder_is_read_once(folder: Path) -> None:
    done = check("--format", "json", ".", "twice.py", cwd=folder)
    report = json.loads(done.stdout)
    assert report["coverage"]["files_read"] == 3
    assert [each["code"] for each in report["diagnoses"]] == ["TW101", "TW120"]


def test_nothing_is_called_proved(folder: Path) -> None:
    report = json.loads(check("--format", "json", cwd=folder).stdout)
    assert {each["certainty"] for each in report["diagnoses"]} == {"likely"}


def test_it_imports_no_framework(folder: Path) -> None:
    program = (
        "import sys\nfrom tensorwhy.integrations.cli.main import main\n"
        "code = main(['check', '--format', 'concise'])\n"
        "print(code, sorted({'tensorflow', 'keras', 'numpy'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "1 []"


@pytest.mark.parametrize("place", [".venv", "build", "node_modules", "__pycache__", "env"])
def test_what_others_wrote_is_passed_over(folder: Path, place: str) -> None:
    (folder / place).mkdir()
    (folder / place / "pyvenv.cfg").touch()
    (folder / place / "twice.py").write_text(TWICE)
    done = check("--format", "concise", "--select", "TW120", cwd=folder)
    assert lines(done) == ["twice.py:7:5:TW120"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    assert lines(check("--format", "concise", "--select", "TW120", cwd=folder)) == ["twice.py:7:5:TW120"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_text_is_told_and_the_others_are_read(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.py")).write_text(UNWATCHED)
    done = check("--format", "json", "--select", "TW120", cwd=folder)
    report = json.loads(done.stdout)
    assert [each["code"] for each in report["diagnoses"]] == ["TW120"]
    assert "bad\\udcff.py" in report["coverage"]["unread"][0]["file"]


def test_a_folder_that_is_named_is_read_whatever_its_name(folder: Path) -> None:
    (folder / "build").mkdir()
    (folder / "build" / "twice.py").write_text(TWICE)
    assert lines(check("--format", "concise", "build", cwd=folder)) == ["build/twice.py:7:5:TW120"]


def test_reasons_can_be_selected(folder: Path) -> None:
    done = check("--format", "concise", "--select", "tape-consumed", cwd=folder)
    assert lines(done) == ["twice.py:7:5:TW120"]


@pytest.mark.parametrize("comment", ["# noqa", "# NOQA: TW120", "# noqa:F401,TW120", "# noqa: F401 TW120  because"])
def test_a_line_can_ask_to_be_passed_over(folder: Path, comment: str) -> None:
    (folder / "twice.py").write_text(TWICE.replace("as tape:", f"as tape:  {comment}"))
    done = check("--format", "concise", "twice.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("comment", ["# noqa: TW101", "# noqa: F401", "# noqation"])
def test_a_line_that_asks_so_of_something_else_is_told(folder: Path, comment: str) -> None:
    (folder / "twice.py").write_text(TWICE.replace("as tape:", f"as tape:  {comment}"))
    assert check("twice.py", cwd=folder).returncode == 1


def test_the_exit_code_can_be_left_alone(folder: Path) -> None:
    done = check("--exit-zero", "--format", "concise", cwd=folder)
    assert done.returncode == 0
    assert len(lines(done)) == 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"import tensorflow as tf\ntf.GradientTape(\n", "odd.py:2: error: "),
        (b"import tensorflow\ndef f(:\n", "odd.py:2: error: "),
        (b"# GradientTape\0\n", "null byte"),
        (b"# -*- coding: nonsense -*-\n# GradientTape\n", "nonsense"),
        (b"\x7fELF\0\0\xff", "error: "),
        (b"one\0two", "null bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_fails_and_the_others_are_read(
    folder: Path, data: bytes, words: str
) -> None:
    (folder / "odd.py").write_bytes(data)
    done = check("--format", "concise", "--exit-zero", cwd=folder)
    assert lines(done)[:2] == ["package/unwatched.py:3:5:TW101", "twice.py:7:5:TW120"]
    last = done.stdout.splitlines()[-1]
    assert last.startswith("odd.py:") and words in last
    assert done.returncode == 2


def test_a_file_that_is_named_is_parsed_whatever_it_holds(folder: Path) -> None:
    (folder / "odd.py").write_text("def f(:\n")
    assert check("odd.py", cwd=folder).returncode == 2
    assert check(".", cwd=folder).returncode == 1


def test_what_concerns_the_program_alone_is_not_told(folder: Path) -> None:
    (folder / "odd.py").write_text(UNWATCHED + "print('\\d', 1 is 1)\n")
    done = tensorwhy("check", "odd.py", cwd=folder, PYTHONWARNINGS="default")
    assert (done.returncode, done.stderr) == (1, "")


def test_the_diff_shows_the_edits_and_writes_nothing(folder: Path) -> None:
    done = check("--diff", cwd=folder)
    assert "+    with tf.GradientTape(persistent=True) as tape:\n" in done.stdout
    assert "+    tape.watch(x)\n" in done.stdout
    assert (folder / "twice.py").read_text() == TWICE


def test_the_edits_are_written_and_what_is_left_is_told(folder: Path) -> None:
    done = check("--fix", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == "tensorwhy: wrote package/unwatched.py, twice.py; nothing was run\n"
    assert "    tape.watch(x)\n" in (folder / "package" / "unwatched.py").read_text()
    assert done.stdout.startswith("tensorwhy: nothing found")


def test_what_has_no_edit_is_left_and_fails(folder: Path) -> None:
    looped = TWICE.replace(
        "    return tape.gradient(y, v), tape.gradient(y, w)", "    for v in w:\n        tape.gradient(y, v)"
    )
    (folder / "twice.py").write_text(looped)
    done = check("--fix", "--format", "concise", "twice.py", cwd=folder)
    assert (done.returncode, lines(done)) == (1, ["twice.py:7:5:TW120"])
    assert (folder / "twice.py").read_text() == looped


def test_of_several_tapes_in_one_with_the_one_that_is_asked_is_marked_and_edited(folder: Path) -> None:
    head = "with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:"
    text = TWICE.replace("with tf.GradientTape() as tape:", head).replace("tape.gradient(y", "d_tape.gradient(y")
    (folder / "gan.py").write_text(text)
    done = check("--format", "concise", "gan.py", cwd=folder)
    assert lines(done) == [f"gan.py:7:{5 + head.rindex('tf.')}:TW120"]
    changed = check("--diff", "gan.py", cwd=folder).stdout
    assert f"+    {head.replace('() as d_tape', '(persistent=True) as d_tape')}" in changed


def test_line_ends_and_encoding_stay_as_they_are(folder: Path) -> None:
    before = ("# -*- coding: latin-1 -*-\n# déjà vu\n" + UNWATCHED).replace("\n", "\r\n").encode("latin-1")
    (folder / "old.py").write_bytes(before)
    check("--fix", "old.py", cwd=folder)
    after = (folder / "old.py").read_bytes()
    assert after == before.replace(b"as tape:\r\n", b"as tape:\r\n    tape.watch(x)\r\n")


def written_notebook(folder: Path) -> Path:
    title, program = {"cell_type": "markdown", "source": "# Title"}, {"cell_type": "code", "source": UNWATCHED}
    file = folder / "notes.ipynb"
    file.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [title, program]}))
    return file


def test_what_is_found_in_a_notebook_is_told_by_its_cell(folder: Path) -> None:
    written_notebook(folder)
    done = check(cwd=folder)
    assert "--> notes.ipynb:cell 2:3:5" in done.stdout
    assert "3 | x = tf.constant(3.0)" in done.stdout


def test_no_notebook_is_edited(folder: Path) -> None:
    file = written_notebook(folder)
    before = file.read_bytes()
    done = check("--fix", "--format", "concise", cwd=folder)
    assert file.read_bytes() == before
    assert [line.partition(" ")[0] for line in done.stdout.splitlines()] == ["notes.ipynb:cell"]


def test_a_notebook_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "notes.ipynb").write_text("GradientTape")
    done = check("--format", "concise", "notes.ipynb", cwd=folder)
    assert "notes.ipynb" in done.stdout
    assert "not a notebook" in done.stdout
    assert done.returncode == 2


def test_a_notebook_with_a_cell_that_is_no_python_is_read_but_for_that_cell(folder: Path) -> None:
    cells = [{"cell_type": "code", "source": text} for text in ("def f(:\n", UNWATCHED)]
    (folder / "notes.ipynb").write_text(
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    )
    done = check("--format", "concise", "notes.ipynb", cwd=folder)
    assert done.returncode == 1
    assert "notes.ipynb:cell 2:3:5: " in done.stdout
    assert "a cell was not read (cell 1, line 1: " in done.stdout


def test_a_notebook_of_another_language_is_no_fault_of_a_folder(folder: Path) -> None:
    language = {"kernelspec": {"language": "R"}}
    (folder / "notes.ipynb").write_text(json.dumps({"nbformat": 4, "cells": [], "metadata": language, "keras": 1}))
    assert check("--exit-zero", cwd=folder).returncode == 0
    assert check("notes.ipynb", cwd=folder).returncode == 2


def test_an_interrupted_write_is_put_back_first(folder: Path) -> None:
    tree = os.path.realpath(folder)
    before = (folder / "twice.py").read_bytes()
    (folder / "twice.py").write_bytes(b"half = 1\n")
    journal.save(
        tree,
        (
            journal.Entry(f"{tree}/twice.py", f"{tree}/.tensorwhy-0", before, b"half = 1\n"),
            journal.Entry(f"{tree}/new.py", f"{tree}/.tensorwhy-1", b"", b"x = 1\n"),
        ),
    )
    assert_refused(check(cwd=folder), "interrupted", "check --fix")
    check("--fix", cwd=folder)
    assert b"persistent=True" in (folder / "twice.py").read_bytes()


def evil_journal(folder: Path) -> None:
    entry = {"path": ".git/config", "temporary": ".git/.tensorwhy-a"}
    contents = {"before": base64.b64encode(b"evil").decode(), "after": base64.b64encode(b"[core]\n").decode()}
    (folder / ".tensorwhy-fix.json").write_text(json.dumps([entry | contents]))


def linked_config(folder: Path) -> None:
    (folder / "linked.py").symlink_to(folder / ".git" / "twice.py")


def linked_outside(folder: Path) -> None:
    (folder.parent / "outside.py").write_text(TWICE)
    (folder / "linked.py").symlink_to(folder.parent / "outside.py")


@pytest.mark.parametrize("make", [evil_journal, linked_config, linked_outside])
def test_nothing_in_the_tree_makes_it_write_anything_else(folder: Path, make: Callable[[Path], None]) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("[core]\n")
    (folder / ".git" / "twice.py").write_text(TWICE)
    make(folder)
    check("--fix", cwd=folder)
    assert "persistent=True" in (folder / "twice.py").read_text()
    assert (folder / ".git" / "config").read_text() == "[core]\n"
    assert (folder / ".git" / "twice.py").read_text() == TWICE
    assert not (folder.parent / "outside.py").exists() or (folder.parent / "outside.py").read_text() == TWICE


@pytest.mark.parametrize("make", [linked_config, linked_outside])
def test_a_link_that_is_named_is_read_and_not_written(folder: Path, make: Callable[[Path], None]) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "twice.py").write_text(TWICE)
    make(folder)
    assert lines(check("--format", "concise", "linked.py", cwd=folder)) == ["linked.py:7:5:TW120"]
    done = check("--fix", "linked.py", cwd=folder)
    assert done.returncode != 0 and "linked.py is" in done.stderr
    assert (folder / "linked.py").read_text() == TWICE


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nothing"], ["nothing", "no such file or folder"]),
        ([""], ["no such file or folder"]),
        (["--select", "TW999"], ["TW999", "explain --list"]),
        (["--format", "nothing"], ["nothing"]),
        (["--output", "package", "twice.py"], ["package", "directory"]),
    ],
)
def test_bad_input_is_refused(folder: Path, args: list[str], words: list[str]) -> None:
    assert_refused(check(*args, cwd=folder), *words)


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read_is_told(folder: Path) -> None:
    (folder / "twice.py").chmod(0)
    done = check("--format", "concise", "twice.py", cwd=folder)
    assert "could not be read" in done.stdout
    assert done.returncode == 2


def test_the_diff_does_nothing_to_a_terminal_or_a_ci_system(folder: Path) -> None:
    harmless = check("--diff", "twice.py", cwd=folder)
    assert harmless.stderr == ""
    note = "# \x1b[31m \u202e ##[error]"
    (folder / "twice.py").write_text(TWICE.replace("y = v * w", f"y = v * w  {note}\n        '''\n::error::x\n'''"))
    done = check("--diff", "twice.py", cwd=folder)
    assert "# \\x1b[31m \\u202e #\\x23[error]" in done.stdout
    assert "\n :\\x3aerror::x\n" in done.stdout
    assert "`patch` cannot apply" in done.stderr


def test_beside_a_diff_it_is_told_what_could_not_be_read(folder: Path) -> None:
    (folder / "bad.py").write_text("import tensorflow as tf\nx = = 1\n")
    done = check("--diff", cwd=folder)
    assert (done.returncode, done.stderr) == (
        2,
        "tensorwhy: error: bad.py could not be read: invalid syntax (line 2)\n",
    )
    assert "+    with tf.GradientTape(persistent=True) as tape:" in done.stdout


def test_lines_of_a_diff_end_as_those_of_the_file(folder: Path) -> None:
    (folder / "twice.py").write_bytes(TWICE.replace("\n", "\r\n").encode())
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "check", "--diff", "twice.py"], cwd=folder, env=environment(),
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout.count(b"\r\n") == len(done.stdout.splitlines()) - 3
    assert done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such paths")
def test_a_tree_of_any_depth_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for _ in range(1100):
        os.mkdir("a")
        os.chdir("a")
    Path("healthy.py").write_text(HEALTHY)
    done = check("--exit-zero", cwd=folder)
    os.unlink("healthy.py")
    for _ in range(1100):  # what removes the folders of tests calls itself for each level
        os.chdir("..")
        os.rmdir("a")
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 files read" in done.stdout
