"""Bad input gets one clear line and exit code 2, before anything of the program runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.runner import environment

RAN = "print('the program ran')\n"


def tensorwhy(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tensorwhy", *args],
        cwd=cwd, env=environment() | env, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("tensorwhy: error: ")
    assert all(word in line for word in words), line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(RAN)
    (tmp_path / "bad_syntax.py").write_text("x = 1\ny = = 2\n")
    (tmp_path / "bad_indent.py").write_text("def f():\nreturn 1\n")
    (tmp_path / "null.py").write_bytes(b"x = 1\0\n")
    (tmp_path / "encoding.py").write_bytes(b"# -*- coding: nonsense -*-\n")
    (tmp_path / "not.pyc").write_bytes(b"not compiled")
    (tmp_path / "notes.ipynb").write_text('{"cells": [], "nbformat": 4, "metadata": {}}')
    (tmp_path / "empty").mkdir()
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "bad.py").write_text("y = = 2\n")
    (tmp_path / "bad_folder").mkdir()
    (tmp_path / "bad_folder" / "__main__.py").write_text("y = = 2\n")
    (tmp_path / "deep.py").write_text("x = " + "-" * 100_000 + "1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run"], ["PROGRAM"]),
        (["run", "nothing.py"], ["nothing.py", "no such file"]),
        (["run", "empty"], ["empty", "__main__.py"]),
        (["fix", "bad_syntax.py"], ["bad_syntax.py:2:5", "SyntaxError"]),
        (["fix", "bad_indent.py"], ["bad_indent.py:2", "IndentationError"]),
        (["fix", "null.py"], ["null.py", "null bytes"]),
        (["fix", "encoding.py"], ["encoding.py", "nonsense"]),
        (["fix", "not.pyc"], ["not.pyc"]),
        (["run", "-m", "nothing_like_this"], ["nothing_like_this", "no such module"]),
        (["fix", "-m", "bad_syntax"], ["bad_syntax:2:5", "SyntaxError"]),
        (["run", "-m", "package"], ["package", "__main__"]),
        (["run", "-m", "package.nothing"], ["package.nothing"]),
        (["run", "--format", "pdf", "good.py"], ["pdf", "terminal", "json"]),
        (["run", "--output", "no/such/folder/x.json", "good.py"], ["no/such/folder/x.json", "cannot be written"]),
        (["run", "--output", "empty", "good.py"], ["empty", "directory"]),
        (["run", "--fail-on", "note", "good.py"], ["note", "warning"]),
        (["explain"], ["TW102", "--list"]),
        (["explain", "TW999"], ["TW999", "--list"]),
        (["nonsense"], ["nonsense", "`tensorwhy --help`"]),
        (["good.py"], ["good.py", "`tensorwhy run good.py`"]),
        (["run", "--nonsense", "good.py"], ["--nonsense", "no such option"]),
        (["run", "--keep-steps", "0", "good.py"], ["--keep-steps", "`tensorwhy run --help`"]),
        (["run", "notes.ipynb"], ["notes.ipynb", "%load_ext tensorwhy", "nbconvert"]),
        (["run", ""], ["PROGRAM", "empty"]),
        (["run", "--trace", "", "good.py"], ["--trace", "empty"]),
        (["report", ""], ["DIR", "empty"]),
        (["run", "--trace", "nonsense://x", "good.py"], ["--trace nonsense://x"]),
    ],
    ids=lambda value: " ".join(value) if "run" in value or "explain" in value else "",
)
def test_bad_input_is_refused_in_one_line(args: list[str], words: list[str], folder: Path) -> None:
    assert_refused(tensorwhy(*args, cwd=folder), *words)


@pytest.mark.parametrize(
    "program",
    [
        ["bad_syntax.py"],
        ["bad_indent.py"],
        ["null.py"],
        ["encoding.py"],
        ["deep.py"],
        ["not.pyc"],
        ["bad_folder"],
        ["-m", "bad_syntax"],
        ["-m", "package.bad"],
        ["-m", "deep"],
    ],
    ids=" ".join,
)
def test_a_program_that_python_does_not_accept_ends_as_it_would(program: list[str], folder: Path) -> None:
    plain = subprocess.run(
        [sys.executable, *program],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    done = tensorwhy("run", "--output", "report", *program, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert done.returncode != 0


def test_no_command_shows_the_help(folder: Path) -> None:
    done = tensorwhy(cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == tensorwhy("--help", cwd=folder).stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_without_write_permission_is_refused(folder: Path) -> None:
    file = folder / "report.json"
    file.touch(0o400)
    assert_refused(tensorwhy("run", "--output", str(file), "good.py", cwd=folder), "cannot be written")


def test_a_missing_framework_is_named_after_the_programs_own_traceback(folder: Path) -> None:
    (folder / "needs.py").write_text("import tf_keras\n")
    (folder / "tf_keras.py").write_text("raise ModuleNotFoundError(\"No module named 'tf_keras'\", name='tf_keras')\n")
    done = tensorwhy("run", "needs.py", cwd=folder)
    assert done.returncode == 2
    assert "ModuleNotFoundError" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("tensorwhy: error: tf_keras is not installed")


def test_a_missing_framework_is_bad_input_for_a_repair_too(folder: Path) -> None:
    (folder / "needs.py").write_text("import tf_keras\n")
    (folder / "tf_keras.py").write_text("raise ModuleNotFoundError(\"No module named 'tf_keras'\", name='tf_keras')\n")
    done = tensorwhy("fix", "needs.py", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("tensorwhy: error: tf_keras is not installed")


def test_a_program_without_a_framework_is_told_so_in_one_line(folder: Path) -> None:
    done = tensorwhy("run", "good.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "the program ran\n")
    (line,) = done.stderr.splitlines()
    assert "imported none of keras, tensorflow, tf_keras, torch" in line


def test_where_numpy_is_not_installed_either_it_is_the_same_line(folder: Path) -> None:
    (folder / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')\n")
    done = tensorwhy("run", "good.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "the program ran\n")
    (line,) = done.stderr.splitlines()
    assert "imported none of keras, tensorflow, tf_keras, torch" in line


def test_output_is_written_whole_with_the_usual_permissions(folder: Path) -> None:
    report = folder / "report.json"
    done = tensorwhy("run", "--format", "json", "--output", "report.json", "good.py", "--output", "x", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the program ran\n", "")
    assert json.loads(report.read_text())["program"]["argv"] == ["--output", "x"]
    assert sorted(path.name for path in folder.glob(".tensorwhy*")) == []
    (folder / "reference").touch()
    assert report.stat().st_mode == (folder / "reference").stat().st_mode


def test_output_stays_where_it_was_asked_for_when_the_program_moves(folder: Path) -> None:
    (folder / "moves.py").write_text("import os\nos.chdir('/')\n")
    assert tensorwhy("run", "--format", "json", "--output", "report.json", "moves.py", cwd=folder).returncode == 0
    assert (folder / "report.json").exists()


def test_output_may_be_a_device(folder: Path) -> None:
    done = tensorwhy("run", "--format", "json", "--output", "/dev/stdout", "good.py", cwd=folder)
    assert done.returncode == 0
    assert json.loads(done.stdout.split("\n", 1)[1])["schema"] == "tensorwhy.report/1"


def test_the_explanation_is_ascii_where_the_stream_is(folder: Path) -> None:
    done = tensorwhy("run", "good.py", cwd=folder, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stderr.isascii()


def test_importing_the_package_imports_no_framework_and_no_renderer() -> None:
    names = ["tensorflow", "keras", "numpy", "rich", "click", "msgspec"]
    code = f"import sys, tensorwhy; print([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_framework_is_there_before_the_program_imports_it(folder: Path) -> None:
    names = ["tensorflow", "keras", "numpy"]  # NumPy reads the environment, which the program may set first
    (folder / "first.py").write_text(f"import sys\nprint([name for name in {names} if name in sys.modules])\n")
    assert tensorwhy("run", "first.py", cwd=folder).stdout == "[]\n"


def test_doctor_says_what_is_installed(folder: Path) -> None:
    done = tensorwhy("doctor", cwd=folder)
    assert done.returncode in (0, 1)
    assert f"Python {sys.version.split()[0]}" in done.stdout
    assert "not covered here" in done.stdout or "nothing can be observed" in done.stdout
