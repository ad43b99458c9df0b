"""Gradients that cancel between the uses of one value, in eager code: the step that was kept is asked for each use."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402

STEPS = 8


def log_prob(action, mean):
    return -tf.square(action - mean)


def sampled(mean, noise):
    return log_prob(mean + 0.5 * noise, mean)


def sampled_and_stopped(mean, noise):
    return log_prob(tf.stop_gradient(mean + 0.5 * noise), mean)


def sampled_and_valued(mean, noise):
    action = mean + 0.5 * noise
    return log_prob(action, mean) + 0.1 * tf.sin(action)


def minus_its_mean(mean, noise):
    return (mean - tf.reduce_mean(mean, axis=-1, keepdims=True)) * noise


def masked_twice(mean, noise):
    return mean * tf.zeros_like(noise) + tf.sin(mean) * tf.zeros_like(noise)


def train(session, objective, width: int = 1) -> list[str]:
    """How zeros are explained, where this is learned from noise."""
    session.keep_for_experiments()
    w, b = tf.Variable(tf.ones([3, width]) * 0.3), tf.Variable(0.5)
    for step in range(STEPS):
        x, noise = tf.random.normal([4, 3], seed=step), tf.random.normal([4, width], seed=step + 50)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(objective(tf.matmul(x, w), noise) + b)
        for variable, slope in zip((w, b), tape.gradient(loss, (w, b))):
            variable.assign_sub(0.1 * slope)
    return [fact.why for group in audit(session) for fact in group.facts]


@pytest.mark.parametrize("objective", [sampled, minus_its_mean])
def test_two_ways_that_cancel_are_told(session, objective) -> None:
    assert train(session, objective) == ["cancelled"]


@pytest.mark.parametrize("objective", [sampled_and_stopped, sampled_and_valued])
def test_a_value_of_which_a_way_is_left_is_not_told(session, objective) -> None:
    assert train(session, objective) == []


def test_a_mean_over_several_elements_is_not_told(session) -> None:
    assert train(session, minus_its_mean, width=3) == []


def test_two_masks_are_masks(session) -> None:
    assert "cancelled" not in train(session, masked_twice)


@pytest.mark.parametrize("traced", [False, True])
def test_an_offset_of_scores_that_are_compared_is_as_it_should_be(session, traced) -> None:
    session.keep_for_experiments()
    w, b = tf.Variable(tf.ones([3, 1]) * 0.3), tf.Variable([0.5])
    optimizer = tf.keras.optimizers.SGD(0.1)

    def step(better, worse):
        with tf.GradientTape() as tape:
            offset = tf.identity(b)
            margin = (tf.matmul(better, w) + offset) - (tf.matmul(worse, w) + offset)
            loss = tf.reduce_mean(tf.nn.softplus(-margin))
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))

    step = tf.function(step) if traced else step
    for seed in range(STEPS):
        step(tf.random.normal([4, 3], seed=seed) + 1.0, tf.random.normal([4, 3], seed=seed + 50))
    assert [fact.why for group in audit(session) for fact in group.facts] == []


def test_weights_of_zero_are_told_before_what_cancels_behind_them(session) -> None:
    session.keep_for_experiments()
    first = tf.Variable(tf.ones([3, 2]) * 0.3, name="first")
    offset = tf.Variable(tf.zeros([2]), name="offset")
    last = tf.Variable(tf.ones([2, 2]), name="last")
    for step in range(STEPS):
        with tf.GradientTape() as tape:
            hidden = tf.matmul(tf.random.normal([1, 3], seed=step), first)
            centred = hidden - tf.reduce_mean(hidden, axis=0)
            loss = tf.reduce_sum(tf.square(tf.nn.relu(tf.matmul(centred + offset, last)) - 1.0))
        for variable, slope in zip((first, offset, last), tape.gradient(loss, (first, offset, last))):
            variable.assign_sub(0.1 * slope)
    told = [(fact.why, {s.name for s in fact.sources}) for group in audit(session) for fact in group.facts]
    assert told == [("initial", {"first:0", "offset:0", "last:0"})]
