"""`tensorwhy fix` shows what it confirmed, and writes only that, into files that nobody touched meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.runner import environment
from tensorwhy.fixes import journal, writing

Fix = Callable[..., "subprocess.CompletedProcess[str]"]

BROKEN = """\
import tensorflow as tf

from helper import count


@tf.function
def squares(steps):
    found = tf.TensorArray(tf.float32, size=steps, element_shape=[])
    for step in tf.range(steps):
        found.write(step, tf.cast(step, tf.float32) ** 2)  # kept as it is
    return found.stack()


print(squares(count()))
"""
HELPER = "import pathlib\n\n\ndef count():\n    return int(pathlib.Path('count.txt').read_text())\n"
MEANWHILE = "\nimport atexit, pathlib\natexit.register(lambda: pathlib.Path('train.py').write_text('# edited\\n'))\n"


@pytest.fixture
def fix(python: str) -> Fix:
    """`fix(*args, cwd=FOLDER)` runs the command there."""
    return lambda *args, cwd: subprocess.run(
        [python, "-m", "tensorwhy", "fix", *args],
        cwd=cwd, env=environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(BROKEN)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "count.txt").write_text("3")
    return tmp_path


def test_a_confirmed_repair_is_written_and_everything_else_stays(folder: Path, fix: Fix) -> None:
    done = fix("--write", "train.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "+        found = found.write(" in done.stdout
    assert "verified: " in done.stderr
    assert (folder / "train.py").read_text() == BROKEN.replace("found.write(", "found = found.write(")
    assert sorted(path.name for path in folder.iterdir() if path.suffix) == ["count.txt", "helper.py", "train.py"]


def test_what_is_confirmed_is_written_where_nobody_reads_the_diff(folder: Path) -> None:
    reading, writing_end = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tensorwhy", "fix", "--write", "train.py"],
            cwd=folder, env=environment(), stdout=writing_end, stderr=subprocess.PIPE,
            text=True, timeout=120, check=False,
        )  # fmt: skip
    finally:
        os.close(writing_end)
    assert done.returncode == 0, done.stderr
    assert "wrote train.py" in done.stderr
    assert "BrokenPipe" not in done.stderr
    assert (folder / "train.py").read_text() == BROKEN.replace("found.write(", "found = found.write(")


def test_the_diff_of_a_program_elsewhere_can_be_applied_in_its_folder(folder: Path, tmp_path: Path, fix: Fix) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "count.txt").rename(elsewhere / "count.txt")
    done = fix(str(folder / "train.py"), cwd=elsewhere)
    assert done.stdout.startswith("--- a/train.py\n+++ b/train.py\n")
    assert f"patch -p1 -d {folder}" in " ".join(done.stderr.split())


def test_a_file_that_was_edited_meanwhile_is_left_alone(folder: Path, fix: Fix) -> None:
    (folder / "train.py").write_text(BROKEN + MEANWHILE)
    done = fix("--write", "train.py", cwd=folder)
    assert done.returncode != 0
    assert (folder / "train.py").read_text() == "# edited\n"


def test_a_healthy_program_stays_as_it_is(folder: Path, fix: Fix) -> None:
    healthy = BROKEN.replace("found.write(", "found = found.write(")
    (folder / "train.py").write_text(healthy)
    done = fix("--write", "train.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (folder / "train.py").read_text() == healthy


def interrupted(folder: Path) -> bytes:
    """What a run leaves that was killed between two files: gives what the first held before."""
    before, now = b"first = 1\n", b"first = 2\n"
    (folder / "first.py").write_bytes(now)
    files = {"first.py": (before, now), "second.py": (b"second = 1\n", b"second = 2\n")}
    (folder / "second.py").write_bytes(b"second = 1\n")
    tree = os.path.realpath(folder)
    journal.save(
        tree,
        tuple(
            journal.Entry(f"{tree}/{name}", f"{tree}/.tensorwhy-{name}", old, new) for name, (old, new) in files.items()
        ),
    )
    (folder / "train.py").write_text("import first, second\nprint('trained')\n")
    return before


def test_what_an_interrupted_write_had_begun_is_put_back_before_the_program_runs(folder: Path, fix: Fix) -> None:
    before = interrupted(folder)
    done = fix("--write", "train.py", cwd=folder)
    assert "restored the files that an interrupted" in done.stderr and "nothing to fix" in done.stderr
    assert (folder / "first.py").read_bytes() == before
    assert not writing.interrupted(str(folder))


def test_without_write_nothing_is_put_back_and_nothing_runs(folder: Path, fix: Fix) -> None:
    before = interrupted(folder)
    done = fix("train.py", cwd=folder)
    assert done.returncode == 2 and "interrupted while writing" in done.stderr
    assert (folder / "first.py").read_bytes() != before


LATER = """\
import tensorflow as tf

encoder, head = tf.Variable([[0.5], [0.2]]), tf.Variable([[1.0]])
batch = tf.constant([[1.0, 2.0]])
for variables in [[head]] * 4 + [[encoder]] * 4:
    hidden = batch @ encoder
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hidden @ head)
    grads = tape.gradient(loss, variables)
    print([None if grad is None else 1 for grad in grads])
"""


def test_a_loss_that_comes_late_in_the_program_is_waited_for(folder: Path, fix: Fix) -> None:
    (folder / "train.py").write_text(LATER)
    done = fix("train.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "+        hidden = batch @ encoder" in done.stdout
    assert "1 of 1 have a confirmed fix" in " ".join(done.stderr.split())


AT_THE_END = """
import signal, sys


class Output:
    def write(self, text): return len(text)
    def flush(self): signal.raise_signal(signal.SIGINT)


sys.stdout = Output()
"""


def test_an_interrupt_that_comes_after_the_program_does_not_take_its_report(folder: Path, fix: Fix) -> None:
    (folder / "train.py").write_text(BROKEN + AT_THE_END)  # what is printed is flushed before anything is explained
    done = fix("train.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 have a confirmed fix" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["nothing.py"], "no such file"),
        (["--select", "TW999", "train.py"], "TW999"),
        (["--time-limit", "0", "train.py"], "time-limit"),
        (["."], "__main__.py"),
    ],
)
def test_bad_input_gets_one_line_and_nothing_runs(args: list[str], word: str, folder: Path, fix: Fix) -> None:
    done = fix(*args, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("tensorwhy: error: ") and word in line
