"""What is seen inside of traced functions that a step calls."""

from __future__ import annotations

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.questions import called_snapshot  # noqa: E402
from tensorwhy.model.question import ValueSnapshot  # noqa: E402


@tf.function
def rectified(x):
    return tf.nn.relu(x)


@tf.function
def through_another(x):
    return rectified(x - 10.0) + rectified(x - 20.0)


@tf.function
def alive_in_one_call(x):
    return rectified(x - 10.0) + rectified(x + 10.0)


@tf.function
def in_python(x):
    return tf.nn.relu(tf.numpy_function(np.negative, [x], tf.float32))


def _seen(function) -> tuple[ValueSnapshot, dict]:
    graph = function.get_concrete_function(tf.TensorSpec([3])).graph
    return called_snapshot.inside(graph, {graph.inputs[0].name: np.array([1.0, 2.0, 3.0], np.float32)})


def test_an_operation_that_lets_nothing_through_is_seen() -> None:
    snapshot, outputs = _seen(tf.function(lambda x: tf.nn.relu(-x)))
    assert list(snapshot.closed.values()) == [(0,)]
    assert not outputs[0].any()


def test_it_is_seen_in_a_function_that_the_function_calls() -> None:
    snapshot, outputs = _seen(through_another)
    assert list(snapshot.closed.values()) == [(0,)]
    assert not outputs[0].any()


def test_what_lets_something_through_in_one_of_two_calls_is_open() -> None:
    assert _seen(alive_in_one_call)[0].closed == {}


def test_a_called_function_may_have_got_more_outputs_for_its_gradient() -> None:
    doubled = tf.function(lambda x: tf.exp(tf.nn.relu(x)) * tf.exp(x))
    outer = tf.function(lambda x: doubled(x - 10.0))
    graph = outer.get_concrete_function(tf.TensorSpec([3])).graph
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = doubled(x)
    assert tape.gradient(y, x) is not None
    snapshot, outputs = called_snapshot.inside(graph, {graph.inputs[0].name: x.numpy()})
    assert list(snapshot.closed.values()) == [(0,)]
    assert outputs[0].shape == (3,)


def test_a_function_that_calls_python_is_not_executed() -> None:
    assert _seen(in_python) == (ValueSnapshot(), {})


def test_a_function_of_a_large_batch_is_not_executed(monkeypatch) -> None:
    graph = tf.function(lambda x: tf.nn.relu(-x)).get_concrete_function(tf.TensorSpec([None, 2])).graph
    given = {graph.inputs[0].name: np.ones([8, 2], np.float32)}
    assert called_snapshot.inside(graph, given)[1]
    monkeypatch.setattr(called_snapshot, "_ELEMENTS", 30)
    assert called_snapshot.inside(graph, given) == (ValueSnapshot(), {})
