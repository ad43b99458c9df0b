"""A gradient call inside a traced function counts as often as the function runs, not as often as it is traced."""

from __future__ import annotations

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks.attention import ENOUGH  # noqa: E402
from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402
from tensorwhy.recording.stepped import Stepped  # noqa: E402


@pytest.fixture(params=["full", "auto"])
def told(request):
    """The session, and what it tells of its steps."""
    session = TensorFlowSession(UserCode(), request.param)
    steps: list[Stepped] = []
    session.tell_steps(steps.append)
    session.start()
    yield session, steps
    session.close()
    assert session.recorder.failure is None


def test_each_run_of_a_traced_step_is_a_step(told) -> None:
    session, steps = told
    made: list[tf.Variable] = []

    @tf.function
    def step(x):
        if not made:
            made.append(tf.Variable(1.0))  # so that the first call is traced twice
        with tf.GradientTape() as tape:
            loss = tf.round(made[0]) * x
        gradient = tape.gradient(loss, made[0])
        return loss if gradient is None else gradient

    for _ in range(7):
        step(tf.constant(2.0))
    step(tf.constant([2.0]))  # another trace
    assert len(steps) == 8
    assert all(each.lost for each in steps)
    assert session.coverage().steps_recorded == 8


def test_each_batch_of_fit_is_a_step(told) -> None:
    session, steps = told
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(np.ones((12, 3), "float32"), np.ones((12, 1), "float32"), batch_size=2, epochs=2, verbose=0)
    assert len(steps) == 12
    assert session.coverage().steps_recorded == 12


def test_eager_steps_count_once_each(told) -> None:
    session, steps = told
    x = tf.Variable(1.0)
    for _ in range(10):
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    assert len(steps) == 10
    assert session.coverage().steps_recorded == (10 if session.attention.armed else ENOUGH)
