"""A gradient of zero in a step that was too long to be kept: the report says that it was not looked into."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402
from tensorwhy.adapters.tensorflow.hooks import kept  # noqa: E402


def found(session, slope: float) -> int:
    session.keep_for_experiments()
    w = tf.Variable([0.5, -0.4])
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(w) * slope * slope)
        w.assign_sub(0.1 * tape.gradient(loss, w))
    return len([fact for group in audit(session) for fact in group.facts])


def test_a_zero_in_a_step_that_was_not_kept_is_said_to_be_open(session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "OPERATIONS", 3)
    assert found(session, 1e-30) == 0
    assert any("zero or not finite: the step is too long" in text for text in session.coverage().unobserved)


@pytest.mark.parametrize(("slope", "most"), [(1e-30, 20_000), (1.0, 3)])
def test_nothing_is_said_of_steps_that_were_kept_or_are_healthy(
    session, monkeypatch: pytest.MonkeyPatch, slope: float, most: int
) -> None:
    monkeypatch.setattr(kept, "OPERATIONS", most)
    assert found(session, slope) == (slope == 1e-30)
    assert not any("too long" in text for text in session.coverage().unobserved)
