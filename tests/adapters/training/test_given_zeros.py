"""Gradients that have values, of which the optimizer gets only zeros."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups  # noqa: E402


def facts(session: Any) -> list[Any]:
    return [fact for group in groups(session, set()) for fact in group.facts]


def train(change: Any) -> None:
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)
    sums = [tf.Variable(tf.zeros_like(variable), trainable=False) for variable in model.trainable_variables]
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.ones((2, 3))) - 1.0))
        given = change(tape.gradient(loss, model.trainable_variables), sums)
        optimizer.apply_gradients(zip(given, model.trainable_variables))


def clipped(gradients: list[Any], sums: list[Any]) -> list[Any]:
    return tf.clip_by_global_norm(gradients, 0.0)[0]


def cleared(gradients: list[Any], sums: list[Any]) -> list[Any]:
    for total, gradient in zip(sums, gradients):
        total.assign_add(gradient)
    for total in sums:
        total.assign(tf.zeros_like(total))
    return [tf.convert_to_tensor(total) for total in sums]


@pytest.mark.parametrize(("change", "line"), [(clipped, 1), (cleared, 4)])
def test_where_they_become_zero(session, change, line) -> None:
    train(change)
    (fact,) = facts(session)
    assert fact.problem == "never-changed"
    assert (fact.applied.function, fact.zeroed.function) == ("train", change.__name__)
    assert fact.zeroed.line == change.__code__.co_firstlineno + line


def test_what_is_too_small_for_the_variable_is_no_zero(session) -> None:
    train(lambda gradients, sums: [gradient * 1e-30 for gradient in gradients])
    (fact,) = facts(session)
    assert fact.problem == "never-changed" and fact.applied is None


def test_sums_that_are_given_before_they_are_cleared(session) -> None:
    def given(gradients: list[Any], sums: list[Any]) -> list[Any]:
        found = [total + gradient for total, gradient in zip(sums, gradients)]
        cleared(gradients, sums)
        return found

    train(given)
    assert not facts(session)
