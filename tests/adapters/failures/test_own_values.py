"""A whole number meets floats in a loop: as its own next value, or only beside it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.failures import own_values  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import loop_variables  # noqa: E402
from tensorwhy.model.location import Location  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

LOOP = "while i < n:\n    {}\n    i += 1\n"


@pytest.mark.parametrize(
    ("statement", "name", "own"),
    [
        ("total = total + x", "total", True),
        ("total += x", "total", True),
        ("new = total + x; total = new", "total", True),
        ("x = x * i", "i", False),
        ("x, total = x + 1, total + x", "total", True),
        ("x, i = x * i, i + 1", "i", False),
        ("print(x * i)", "i", False),
    ],
)
def test_of_a_loop(statement: str, name: str, own: bool) -> None:
    loop = ast.parse(LOOP.format(statement)).body[0]
    assert isinstance(loop, ast.While)
    assert own_values.of_loop(loop, Location(file="a.py", line=2, function="f"), name) is own


def test_a_condition_changes_nothing() -> None:
    loop = ast.parse(LOOP.format("pass")).body[0]
    assert isinstance(loop, ast.While)
    assert not own_values.of_loop(loop, Location(file="a.py", line=1, function="f"), "i")


@pytest.fixture
def as_recorded() -> Iterator[None]:
    """As in a recording: nothing is filtered out of tracebacks."""
    undo = filtered_frames.install(UserCode())
    yield
    undo()


def fact(function: Callable[..., Any]) -> Any:
    try:
        tf.function(function)(tf.ones([2]))
    except TypeError as error:
        live = live_failure(error, UserCode())
        (found,) = loop_variables.probe(live)
        return found
    raise AssertionError("nothing failed")


def counted(x: Any) -> Any:
    i = 0
    while i < tf.constant(3):
        x = x + tf.ones([2]) * i
        i += 1
    return x


def summed(x: Any) -> Any:
    total = 0
    for i in tf.range(2):
        total += x[i]
    return total


@pytest.mark.usefixtures("as_recorded")
@pytest.mark.parametrize(("function", "variable", "problem"), [(counted, "i", "operand"), (summed, "total", "dtype")])
def test_of_a_traced_function(function: Callable[..., Any], variable: str, problem: str) -> None:
    found = fact(function)
    assert (found.variable, found.problem, found.got) == (variable, problem, "float32")
