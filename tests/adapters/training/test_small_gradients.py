"""A variable that stands still has a gradient of zero, or one too small to change it: the step itself tells which."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402
from tensorwhy.adapters.tensorflow.questions import stalled  # noqa: E402


def train(session, factor: float) -> tuple[int, list[str]]:
    """How many variables have a gradient all the same, and how zeros are explained, where it has this factor."""
    w, b = tf.Variable([0.5, 0.25]), tf.Variable(0.0)
    optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.nn.relu(w * x * factor) + b - 1.0))
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))

    for _ in range(8):
        step(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    found = [fact.why for group in audit(session) for fact in group.facts]
    return sum(map(len, session.tapes.stalled.alive.values())), found


@pytest.fixture(params=["whole", "too large"])
def size(request, monkeypatch) -> str:
    """Whether all values of the step may be looked at, or it has too many."""
    if request.param == "too large":
        monkeypatch.setattr(stalled, "_ELEMENTS", 5)
    return request.param


def test_a_gradient_that_is_too_small_to_change_anything_is_not_zero(session, size) -> None:
    assert train(session, 1e-12) == (1, [])


def test_a_gradient_of_zero_is_told(session, size) -> None:
    assert train(session, -1e-12) == (0, ["rectified"])
