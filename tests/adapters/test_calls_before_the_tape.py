"""What one call computed before the tape was opened is told once, at that call."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402


def _lines(session: TensorFlowSession) -> set[str]:
    """The functions in which the breaks stand."""
    facts = [fact for group in session.facts() for fact in group.facts]
    assert {fact.kind for fact in facts} == {"outside-tape"}
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
