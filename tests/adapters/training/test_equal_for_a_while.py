"""Two results that were equal in the first steps only are not one value."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402


def kinds(session: Any, steps_of_one_pair: int) -> set[str]:
    session.keep_for_experiments()
    layers = [tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(2)]
    network = tf.keras.Sequential(layers)
    for step in range(8):
        first = tf.random.normal((5, 3))
        second = first if step < steps_of_one_pair else tf.random.normal((5, 3))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(network(first) - network(second)))
        for variable, gradient in zip(network.trainable_variables, tape.gradient(loss, network.trainable_variables)):
            variable.assign_sub(0.1 * gradient)
    return {fact.why for group in audit(session) for fact in group.facts}


def test_pairs_of_one_thing_for_ever(session) -> None:
    assert kinds(session, 8) == {"itself"}


def test_pairs_of_one_thing_at_first(session) -> None:
    assert not kinds(session, 4)
