"""Zeros that were asked for instead of None are told as notes: where they hide a None, and only there."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.diagnosis.engine import diagnose  # noqa: E402
from tensorwhy.reasons import catalogue  # noqa: E402
from tensorwhy.source.files import Sources  # noqa: E402

ZERO = tf.UnconnectedGradients.ZERO


def told(session: TensorFlowSession) -> list[tuple[str, str, str]]:
    found = diagnose(list(session.facts()), catalogue(), Sources()).diagnoses
    return [(each.code, each.severity, each.source.name) for each in found]


def test_a_hidden_none_is_a_note_and_a_zero_that_is_one_is_nothing(session) -> None:
    flat, unused = tf.Variable(0.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = flat * flat
    answers = tape.gradient(loss, [flat, unused], unconnected_gradients=ZERO)
    assert [float(answer) for answer in answers] == [0.0, 0.0]
    assert told(session) == [("TW115", "note", "unused")]


def test_the_none_behind_a_jacobian(session) -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.round(x)
    assert not tape.jacobian(y, x, unconnected_gradients="zero").numpy().any()
    assert told(session) == [("TW106", "note", "x")]


def test_the_none_inside_a_traced_function(session) -> None:
    x, y = tf.Variable(1.0), tf.Variable(2.0)

    @tf.function
    def slopes():
        with tf.GradientTape() as tape:
            loss = x * tf.stop_gradient(y)
        return tape.gradient(loss, [x, y], unconnected_gradients=ZERO)

    assert [float(slope) for slope in slopes()] == [2.0, 0.0]
    assert told(session) == [("TW104", "note", "y")]


def test_the_none_of_a_graph(session) -> None:
    with tf.Graph().as_default():
        x, y = tf.constant(1.0), tf.constant(2.0)
        tf.gradients(x * tf.stop_gradient(y), [x, y], unconnected_gradients=ZERO)
    assert told(session) == [("TW104", "note", "y")]


def test_the_none_of_forward_mode(session) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as accumulator:
        y = tf.round(x)
    assert not accumulator.jvp(y, unconnected_gradients=ZERO).numpy().any()
    assert told(session) == [("TW106", "note", "x")]
