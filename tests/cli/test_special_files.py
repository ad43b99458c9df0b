"""Pipes, devices and files of any size, wherever a name is taken: nothing waits for ever, nothing fills the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.test_input import RAN, assert_refused, tensorwhy
from support.runner import environment
from tensorwhy.source.files import Sources

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(RAN)
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(1 << 40)
    return tmp_path


def test_a_report_is_written_into_a_pipe_once_at_the_end(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tensorwhy", "run", "--format", "json", "--output", "pipe", "good.py"],
        cwd=folder, env=environment(), stdout=subprocess.DEVNULL,
    ) as run:  # fmt: skip
        written = (folder / "pipe").read_bytes()
        assert run.wait(60) == 0
    assert json.loads(written)["schema"] == "tensorwhy.report/1"


def test_a_program_with_many_files_open_still_gets_its_report_into_a_pipe(folder: Path) -> None:
    (folder / "many.py").write_text("import os\nheld = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]\n")
    command = f"ulimit -n 2000 && exec {sys.executable} -m tensorwhy run --format json --output pipe many.py"
    with subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment()) as run:
        written = (folder / "pipe").read_bytes()
        assert run.wait(60) == 0
    assert json.loads(written)["schema"] == "tensorwhy.report/1"


def test_a_pipe_that_nobody_reads_is_told_and_not_waited_for(folder: Path) -> None:
    done = tensorwhy("run", "--output", "pipe", "good.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, RAN[7:22] + "\n")
    (line,) = done.stderr.splitlines()
    assert "nothing reads from it" in line


@pytest.mark.parametrize("command", ["check", "report"])
@pytest.mark.parametrize("name", ["pipe", "sparse", "/dev/zero"])
def test_what_is_no_regular_file_is_told(folder: Path, command: str, name: str) -> None:
    done = tensorwhy(command, name, cwd=folder)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == (1 if command == "report" else 0)
    assert name in done.stdout + done.stderr


def test_an_output_that_is_full_is_told_in_one_line(folder: Path) -> None:
    assert_refused(tensorwhy("check", "--output", "/dev/full", "good.py", cwd=folder), "No space left")


def test_an_error_quotes_nothing_that_does_something(folder: Path) -> None:
    done = tensorwhy("report", "\x1b[31mred\n::error::x" + "y" * 3000, cwd=folder)
    assert_refused(done)
    assert "\x1b" not in done.stderr and len(done.stderr) < 2000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("format_name", ["json", "sarif", "html", "terminal", "github", "concise"])
def test_a_program_whose_name_is_no_text_gets_its_report(folder: Path, format_name: str) -> None:
    name = os.fsdecode(b"bad\xff.py")
    (folder / name).write_text(RAN)
    done = tensorwhy("run", "--format", format_name, "--output", "out", name, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the program ran\n", "")
    (folder / "out").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["pipe", "sparse", "/dev/zero"])
def test_code_that_says_it_comes_from_a_special_file_has_no_lines(folder: Path, name: str) -> None:
    assert Sources().lines(str(folder / name)) == []


@pytest.mark.parametrize("command", ["run", "fix"])
@pytest.mark.parametrize("name", ["pipe", "pipe.py", "pipe.pyc", "sparse", "/dev/zero"])
def test_a_program_that_cannot_be_read_is_told(folder: Path, command: str, name: str) -> None:
    (folder / "pipe").rename(folder / "pipe.py")
    for other in ("pipe", "pipe.pyc"):
        os.mkfifo(folder / other)
    assert_refused(tensorwhy(command, name, cwd=folder), name, "cannot be read")


@pytest.mark.parametrize("program", ["print('ran')", "x = = 1"])
def test_a_program_may_come_through_a_pipe(folder: Path, program: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tensorwhy", "run", "pipe"], cwd=folder, env=environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        with (folder / "pipe").open("w") as stream:
            for character in program:
                stream.write(character)
                stream.flush()
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == ((0, "ran\n") if "ran" in program else (2, ""))
    assert len(err.splitlines()) == 1
