"""What is lost for the first time long after recording went to rest is explained from the next step on."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks.attention import ENOUGH  # noqa: E402
from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402

LATE = 60


def kinds(session: TensorFlowSession) -> set[str]:
    return {getattr(fact, "kind", "") for group in session.facts() for fact in group.facts}


def train(step, steps: int = LATE + 10) -> None:
    for number in range(steps):
        step(number)


def test_a_none_that_comes_late_at_a_known_call(session) -> None:
    x = tf.Variable(2.0)

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = x * x if number < LATE else tf.stop_gradient(x) * 2.0
        tape.gradient(y, x)
        assert session.attention.armed == (number < ENOUGH - 1 or LATE <= number < LATE + ENOUGH)

    train(step)
    assert kinds(session) == {"stop-gradient"}
    assert session.attention.recorded == [(1, ENOUGH), (LATE + 2, LATE + 1 + ENOUGH)]
    assert f"(recorded: 1 to {ENOUGH}, {LATE + 2} to {LATE + 1 + ENOUGH};" in session.attention.in_words()


def test_a_call_that_comes_late(session) -> None:
    x = tf.Variable(2.0)

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        if number >= LATE:
            with tf.GradientTape() as late:
                z = tf.round(x)
            late.gradient(z, x)

    train(step)
    assert kinds(session) == {"no-gradient"}


def test_a_trace_that_comes_late(session) -> None:
    x = tf.Variable(2.0)

    @tf.function
    def traced(rounds: bool):
        with tf.GradientTape() as tape:
            y = tf.round(x) if rounds else x * x
        gradient = tape.gradient(y, x)
        return y if gradient is None else gradient

    train(lambda number: traced(number >= LATE))
    assert kinds(session) == {"no-gradient"}
    assert session.coverage().steps_recorded == LATE + 10


def test_zeros_that_come_late(session) -> None:
    x = tf.Variable(2.0)
    armed = []

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = tf.nn.relu(x if number < LATE else -x)
        tape.gradient(y, x)
        armed.append(session.attention.armed)

    train(step, 4 * LATE)
    assert any(armed[LATE:])
    assert not armed[-1]
