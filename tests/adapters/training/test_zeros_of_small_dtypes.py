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


def beside_a_head(session, scale: float, traced: bool) -> list[tuple[bool, int, int]]:
    """What is said of a body in float16 under a head in float32: that it underflows, how many, beside how many."""
    session.keep_for_experiments()
    body = tf.Variable(tf.random.stateless_normal([4, 3], [1, 2]))
    head = tf.Variable(tf.fill([3, 1], scale))
    optimizer = tf.keras.optimizers.SGD(0.01)
    x = tf.random.stateless_normal([64, 4], [3, 4])

    def step() -> None:
        with tf.GradientTape() as tape:
            made = tf.matmul(tf.cast(x, tf.float16), tf.cast(body, tf.float16))
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.cast(made, tf.float32), head) - scale))
        optimizer.apply_gradients(zip(tape.gradient(loss, [body, head]), [body, head]))

    run = tf.function(step) if traced else step
    for _ in range(8):
        run()
    found = [fact for group in audit(session) for fact in group.facts if hasattr(fact, "underflow")]
    return [(fact.underflow > 1, len(fact.variables), fact.others) for fact in found]


@pytest.mark.parametrize("traced", [False, True])
def test_what_comes_back_with_a_larger_loss_was_too_small(session, traced: bool) -> None:
    assert beside_a_head(session, 1e-4, traced) == [(True, 1, 1)]


@pytest.mark.parametrize("traced", [False, True])
def test_what_float16_has_numbers_for_is_not_told(session, traced: bool) -> None:
    assert beside_a_head(session, 1.0, traced) == []


def test_what_cancels_in_float16_does_not_come_back(session) -> None:
    session.keep_for_experiments()
    w, bias = tf.Variable([[0.5], [0.25]]), tf.Variable([1.0])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(8):
        with tf.GradientTape() as tape:
            made = tf.matmul(tf.ones([4, 2], tf.float16), tf.cast(w, tf.float16))
            loss = tf.reduce_mean(tf.cast(tf.nn.softmax(made), tf.float32)) + tf.reduce_sum(bias**2)
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, bias]), [w, bias]))
    assert not [fact for group in audit(session) for fact in group.facts if hasattr(fact, "underflow")]
