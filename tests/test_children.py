"""Child processes are counted, not observed: only those that run Python, and without a trace in the program."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from tensorwhy.pipeline.children import Children, in_words


@pytest.fixture
def children():
    counting = Children()
    counting.start()
    counting.imported("subprocess")
    yield counting
    counting.stop()


def nothing() -> None:
    pass


def test_only_processes_that_run_python_are_counted(children: Children, tmp_path: Path) -> None:
    script = tmp_path / "launch"
    script.write_text(f"#!{sys.executable}\n")
    script.chmod(0o755)
    subprocess.run([sys.executable, "-c", ""], check=True)
    subprocess.run([str(script)], check=True)
    subprocess.run(["true"], check=True)
    assert children.count() == 2


def test_processes_of_multiprocessing_are_counted(children: Children) -> None:
    multiprocessing.get_context("spawn").Process(target=nothing)
    assert children.count() == 1


def test_a_program_without_children_has_nothing_to_say_of_them(children: Children) -> None:
    assert children.count() == 0


def test_the_hook_is_taken_out() -> None:
    before = subprocess.Popen.__init__
    counting = Children()
    counting.imported("subprocess")
    assert subprocess.Popen.__init__ is not before
    counting.stop()
    assert subprocess.Popen.__init__ is before


@pytest.mark.parametrize(
    ("started", "observed", "words"),
    [
        (0, None, ""),
        (2, 2, ""),
        (3, 2, "1 child process was not observed"),
        (3, 0, "3 child processes were not observed"),
        (1, None, "1 child process was not observed; `--children` observes those that are not forked"),
    ],
)
def test_what_is_not_covered_says_how_many(started: int, observed: int | None, words: str) -> None:
    assert in_words(started, observed) == words
