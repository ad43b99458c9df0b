"""Labels without an axis in a step of too many operations to search: the report says that it was not searched."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks import kept  # noqa: E402
from tensorwhy.adapters.tensorflow.questions import outer  # noqa: E402
from tensorwhy.lineage.outer import LEFT_OUT  # noqa: E402


def train(session) -> None:
    session.keep_for_experiments()
    x, y = tf.random.normal((8, 3)), tf.random.normal((8,))
    w = tf.Variable(tf.ones((3, 1)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((y - x @ w) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))


@pytest.mark.parametrize("module", [outer, kept], ids=["searched", "kept"])
def test_a_step_that_is_too_long_is_told(session, module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MANY" if module is outer else "OPERATIONS", 2)
    train(session)
    assert session.tapes.outer.facts == []
    assert LEFT_OUT in session.coverage().unobserved


def test_a_step_that_is_searched_is_not(session) -> None:
    train(session)
    assert len(session.tapes.outer.facts) == 1
    assert LEFT_OUT not in session.coverage().unobserved
