"""What one call computed before the tape was opened is told once, at that call."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402


def _lines(session: TensorFlowSession) -> set[str]:
    """The functions in which the breaks stand."""
    facts = [fact for group in session.facts() for fact in group.facts]
    assert {fact.kind for fact in facts} == {"not-recorded"}
    return {fact.location.function.rpartition(".")[2] for fact in facts}


def test_two_results_of_one_helper_are_lost_at_its_call(session) -> None:
    weight, scale = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])

    def encoded(x: Any) -> Any:
        hidden = x * weight
        spread = tf.reduce_mean(hidden * scale)
        return hidden, spread

    hidden, spread = encoded(tf.constant([1.0, 2.0]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hidden) * spread
    assert tape.gradient(loss, [weight, scale]) == [None, None]
    assert _lines(session) == {"test_two_results_of_one_helper_are_lost_at_its_call"}


def test_lines_that_run_again_and_again_are_told_by_themselves(session) -> None:
    weight, scale = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])

    def played(x: Any) -> Any:
        values, weights = [], []
        for _ in range(2):
            value = x * weight
            values.append(value)
            weights.append(value * scale)
        return values, weights

    values, weights = played(tf.constant([1.0, 2.0]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(values) * tf.reduce_sum(weights)
    assert tape.gradient(loss, [weight, scale]) == [None, None]
    assert _lines(session) == {"played"}


def test_the_call_that_led_to_a_helper_is_told_as_well(session) -> None:
    weight = tf.Variable([2.0, 3.0])

    def encoded(x: Any) -> Any:
        hidden = x * weight
        return tf.tanh(hidden)

    hidden = encoded(tf.constant([1.0, 2.0]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hidden)
    assert tape.gradient(loss, weight) is None
    (fact,) = [fact for group in session.facts() for fact in group.facts]
    assert fact.location.function.endswith("encoded")
    assert fact.called.function.endswith("test_the_call_that_led_to_a_helper_is_told_as_well")


class Scaled(tf.keras.layers.Layer):
    def build(self, shape: Any) -> None:
        self.scale = self.add_weight(name="scale", shape=(3,), initializer="ones")
        self.twice = self.scale * 2.0

    def call(self, x: Any) -> Any:
        return x * self.twice


class Outer(tf.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.scaled = Scaled()

    def call(self, x: Any) -> Any:
        return self.scaled(x)


def test_what_a_layer_computes_while_it_is_built_is_told_there(session) -> None:
    model = Outer()
    model.scaled.build((None, 3))
    model(tf.ones((2, 3)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones((2, 3))))
    assert tape.gradient(loss, model.scaled.trainable_variables) == [None]
    assert _lines(session) == {"build"}


def test_what_keras_builds_on_the_way_is_told_there(session) -> None:
    if not hasattr(tf.keras, "__version__") or tf.keras.__version__.startswith("3"):
        pytest.skip("Keras 3 builds the layers of a model on trial, in a graph")
    model = Outer()
    model.build((None, 3))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones((2, 3))))
    assert tape.gradient(loss, model.scaled.trainable_variables) == [None]
    assert _lines(session) == {"build"}
