"""A condition decides once: what is not one truth value is refused, at very different moments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import conditions  # noqa: E402
from tensorwhy.model.facts.loops import NoCondition  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

X = [1.0, 2.0, 3.0]


@pytest.fixture(autouse=True)
def whole_tracebacks() -> Iterator[None]:
    """Nothing is filtered out of tracebacks, as in a recording."""
    undo = tracebacks.keep(filtered_frames.FILTERS)
    yield
    undo()


def halved(x):
    while tf.abs(x) > 0.1:
        x = x / 2.0
    return x


def clipped(x):
    if x > 1.0:
        x = x / 2.0
    return x


def summed(x):
    if tf.reduce_sum(x):
        x = x / 2.0
    return x


def chosen(x):
    return tf.cond(x > 1.0, lambda: x / 2.0, lambda: x)


def looped(x):
    return tf.while_loop(lambda y: y > 0.1, lambda y: (y / 2.0,), [x])


def looped_by_another_name(x):
    again = tf.while_loop
    return again(functools.partial(tf.less, 0.1), lambda y: (y / 2.0,), [x])


def looked_at(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """With a gradient, which is what fails then where the graph does not know the shape."""

    @tf.function(input_signature=[tf.TensorSpec(None)])
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return step


def failing(x):
    if x[7] > 1.0:
        x = x / 2.0
    return x


def facts(function: Callable[[Any], Any]) -> list[NoCondition]:
    try:
        function(tf.constant(X))
    except Exception as error:
        return [each for each in conditions.probe(live_failure(error, UserCode())) if isinstance(each, NoCondition)]
    raise AssertionError("nothing failed")


def traced(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return tf.function(function)


def of_any_shape(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return tf.function(function, input_signature=[tf.TensorSpec(None)])


@pytest.mark.parametrize(
    ("how", "function", "construct", "dtype", "shape", "size"),
    [
        (traced, halved, "while", "bool", (3,), None),
        (traced, clipped, "if", "bool", (3,), None),
        (traced, summed, "if", "float32", (), None),
        (traced, chosen, "cond", "bool", (3,), None),
        (traced, looped, "while_loop", "bool", (3,), None),
        (of_any_shape, halved, "while", "bool", None, 3),
        (of_any_shape, clipped, "if", "bool", None, 3),
        (looked_at, chosen, "cond", "bool", (3,), None),
        (lambda function: function, looped, "while_loop", "bool", (3,), None),
        (lambda function: function, chosen, "cond", "bool", (3,), None),
    ],
)
def test_what_is_no_truth_value_is_found_at_the_condition(how, function, construct, dtype, shape, size) -> None:
    (fact,) = facts(how(function))
    assert (fact.construct, fact.dtype, fact.shape, fact.size) == (construct, dtype, shape, size)
    assert fact.text in "".join(inspect.getsource(function))
    assert fact.condition.line == function.__code__.co_firstlineno + 1


def test_a_loop_of_another_name_is_told_as_its_call() -> None:
    (fact,) = facts(traced(looped_by_another_name))
    assert (fact.construct, fact.text, fact.shape) == ("", "", (3,))
    assert fact.condition.line == looped_by_another_name.__code__.co_firstlineno + 2


@pytest.mark.parametrize("how", [traced, of_any_shape])
def test_a_condition_that_cannot_be_computed_is_none_of_this(how) -> None:
    assert facts(how(failing)) == []


def test_what_python_itself_asks_of_a_tensor_is_none_of_this() -> None:
    assert facts(clipped) == []
