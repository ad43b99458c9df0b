"""Zeros of one step are told once, where what makes some of them zero is known."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups  # noqa: E402


def train(first: Any, second: Any) -> None:
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(first * 0.0) + tf.reduce_sum(second * 0.0)
        optimizer.apply_gradients(zip(tape.gradient(loss, [first, second]), [first, second]))


def handles(session: Any) -> list[int]:
    return [handle for handle in session.tapes.updates.watched if handle >= 0]


def test_zeros_of_which_nothing_is_known_are_told(session) -> None:
    train(tf.Variable(1.0, name="first"), tf.Variable(1.0, name="second"))
    (group,) = groups(session, set())
    (fact,) = group.facts
    assert (fact.nonzero, len(fact.variables)) == (False, 2)


def test_zeros_beside_those_that_are_understood_are_not(session) -> None:
    train(tf.Variable(1.0, name="first"), tf.Variable(1.0, name="second"))
    assert not [*groups(session, set(handles(session)[:1]))]
