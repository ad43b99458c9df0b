"""A tensor without a value that the user hands to a library, which asks for the value: told is the user's call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import eager_only_in_graph  # noqa: E402
from tensorwhy.diagnosis.reason import Case  # noqa: E402
from tensorwhy.model.report import Symptom  # noqa: E402
from tensorwhy.reasons.tw406_eager_only_in_graph import rule  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402
from tensorwhy.source.files import Sources  # noqa: E402


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    """As in a recording: nothing is filtered out of tracebacks."""
    undo = filtered_frames.install(UserCode())
    yield
    undo()


def fact(function: Callable[..., Any], *args: Any) -> Any:
    try:
        tf.function(function, autograph=False)(*args)
    except Exception as error:
        (found,) = eager_only_in_graph.probe(live_failure(error, UserCode()))
        return found
    raise AssertionError("nothing failed")


def evaluated(x: Any) -> Any:
    return tf.keras.backend.eval(x)


def asked(x: Any) -> Any:
    return x.numpy()


def drawn(x: Any) -> Any:
    return np.random.choice(2, p=x)


def counted(x: Any) -> Any:
    return np.zeros(len(x))


def unpacked(x: Any) -> Any:
    rows, columns = tf.shape(x)
    return rows * columns


def unpacked_rows(x: Any) -> Any:
    first, second = x
    return first + second


def test_the_call_and_the_argument_are_named() -> None:
    found = fact(evaluated, tf.ones([2]))
    assert (found.operation, found.name, found.tensor_text) == ("call", "tf.keras.backend.eval", "x")


def test_what_the_user_asks_is_a_method() -> None:
    found = fact(asked, tf.ones([2]))
    assert (found.operation, found.name, found.tensor_text) == ("method", "numpy", "x")


def test_the_function_of_a_library_that_counts_elements_is_named() -> None:
    found = fact(drawn, tf.ones([2]) / 2)
    assert (found.operation, found.name, found.tensor_text) == ("numpy", "np.random.choice", "x")


def test_the_user_counts_elements() -> None:
    found = fact(counted, tf.ones([2]))
    assert (found.operation, found.tensor_text) == ("length", "x")


def test_a_tensor_of_known_size_is_taken_apart_in_the_graph() -> None:
    found = fact(unpacked, tf.ones([2, 3]))
    statement = rule.unpacked(found, Case(fact=found, symptom=Symptom(kind="exception"), sources=Sources()))
    assert isinstance(statement, ast.Assign)
    assert found.tensor_text == "tf.shape(x)"


def test_a_tensor_of_another_size_is_not() -> None:
    found = fact(unpacked_rows, tf.ones([3, 2]))
    assert rule.unpacked(found, Case(fact=found, symptom=Symptom(kind="exception"), sources=Sources())) is None
