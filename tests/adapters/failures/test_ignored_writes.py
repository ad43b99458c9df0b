"""Which variables a value in a traced loop is made of."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.failures import failed_node, tensor_lists  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import lost_writes  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What is traced here is gone at the end: recordings of other tests look at all graphs that are alive."""
    yield
    gc.collect()


def test_a_value_that_is_written_in_a_loop_is_followed_to_the_variables_outside_of_it() -> None:
    used, passed, unused = tf.Variable(2.0), tf.Variable(3.0), tf.Variable(1.0)

    @tf.function
    def roll(start: Any) -> Any:
        states, value = tf.TensorArray(tf.float32, size=3), start * passed
        for step in tf.range(3):
            states.write(step, used * value)
        return states.stack() + unused

    graphs = list(failed_node.nested(roll.get_concrete_function(tf.ones([2])).graph))
    [write] = [each for graph in graphs for each in graph.get_operations() if each.type == "TensorListSetItem"]

    def is_made_of(variable: Any) -> bool:
        return tensor_lists.is_made_of(write.inputs[2], frozenset({variable.handle._id}))

    assert (is_made_of(used), is_made_of(passed), is_made_of(unused)) == (True, True, False)


def taken(steps: Any) -> Any:
    states = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for step in tf.range(steps):
        states = states.write(step, 1.0)
    return states.stack()


def lost(steps: Any) -> Any:
    states = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for step in tf.range(steps):
        states.write(step, 1.0)
    return states.stack()


def told(fill: Any, beside: bool) -> Any:
    """What is said when shapes do not fit: with the array of three elements, or beside it."""

    @tf.function
    def roll(steps: Any) -> Any:
        stacked = fill(steps)
        return (tf.ones([steps]) if beside else stacked) + tf.ones([steps + 2]), stacked

    filtered = tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.disable_traceback_filtering()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            roll(tf.constant(3))
    finally:
        if filtered:
            tf.debugging.enable_traceback_filtering()
    return list(lost_writes.probe(live_failure(raised.value, UserCode())))


def test_a_lost_write_on_the_way_to_what_failed_is_told() -> None:
    (fact,) = told(lost, beside=False)
    assert (fact.problem, fact.array, fact.failed) == ("write-ignored", "states", True)


@pytest.mark.parametrize(("fill", "beside"), [(lost, True), (taken, False)])
def test_nothing_is_said_of_an_array_beside_the_failure_or_of_one_that_took_what_was_written(
    fill: Any, beside: bool
) -> None:
    assert told(fill, beside) == []
