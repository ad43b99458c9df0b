"""Gradients that become zero because their dtype has no number so small: what was seen of them is said."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402


def train(session, scales: list[float]) -> list[bool | None]:
    """What is said of the gradients, where the loss of each step has one of these scales."""
    w = tf.Variable([[0.5], [0.25]])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for scale in scales:
        with tf.GradientTape() as tape:
            made = tf.matmul(tf.ones([4, 2], tf.float16), tf.cast(w, tf.float16))
            loss = tf.reduce_mean(tf.square(made - 0.5)) * tf.constant(1e-4, tf.float16)
            loss = loss * tf.constant(scale, tf.float16)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return [fact.nonzero for group in audit(session) for fact in group.facts if hasattr(fact, "nonzero")]


def test_a_gradient_that_underflows_in_every_step_is_said_to_be_zero(session) -> None:
    assert train(session, [1e-5] * 8) == [False]


def test_a_gradient_that_is_scaled_is_not_told(session) -> None:
    assert train(session, [1000.0] * 8) == []
