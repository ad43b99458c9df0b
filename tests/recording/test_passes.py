"""Statements are counted when they begin: in loops, functions, generators and threads, over one line or several."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.passes import Passes

PROGRAM = """\
import threading


def work(n):
    for i in range(n):
        total = max(
            i,
            2,
        )
    while n: n -= 1
    return total


def each(n):
    for i in range(n):
        yield work(
            i + 1)


def fails(n):
    for i in range(n):
        if i == 2:
            raise ValueError(
                i)
"""


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, dict[str, Callable[..., Iterator[int]]]]:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    space: dict[str, Callable[..., Iterator[int]]] = {}
    exec(compile(PROGRAM, str(path), "exec"), space)
    return str(path), space


@pytest.fixture(autouse=True)
def untraced() -> Iterator[None]:
    """Whatever traces the tests themselves."""
    before = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(before)


def test_a_statement_counts_once_however_many_lines_it_has(program) -> None:
    file, space = program
    passes = Passes(UserCode())
    passes.start()
    space["work"](3)
    list(space["each"](4))
    passes.stop()
    assert passes.counts[file, 6] == 3 + 1 + 2 + 3 + 4
    assert passes.counts[file, 16] == 4
    assert passes.counts[file, 11] == 5


def test_other_threads_count_too(program) -> None:
    file, space = program
    passes = Passes(UserCode())
    passes.start()
    thread = threading.Thread(target=space["work"], args=(2,))
    thread.start()
    thread.join()
    passes.stop()
    assert passes.counts[file, 6] == 2


def test_it_is_told_when_a_statement_was_begun_often_enough(program) -> None:
    file, space = program
    told: list[int] = []
    passes = Passes(UserCode(), {(file, 6): 3}, lambda: told.append(1))
    passes.start()
    space["work"](2)
    assert not told
    space["work"](5)
    passes.stop()
    assert told == [1]


def test_a_failure_tells_its_statement_and_how_often_that_was_begun(program) -> None:
    file, space = program
    passes = Passes(UserCode())
    passes.start()
    list(space["each"](2))
    try:
        space["fails"](5)
    except ValueError as error:
        found = passes.raised(error.__traceback__)
    passes.stop()
    assert found is not None and found[:2] == ((file, 23), 1)


def test_a_debugger_is_left_alone(program) -> None:
    passes = Passes(UserCode())

    def debugger(*_: object) -> None:
        return None

    sys.settrace(debugger)
    passes.start()
    assert sys.gettrace() is debugger
    passes.stop()
    assert sys.gettrace() is debugger
    sys.settrace(None)
