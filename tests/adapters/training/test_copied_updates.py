"""Gradients that are subtracted from arrays of weights: lost, unless the arrays are stored again."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups as audit  # noqa: E402


def steps(model: Any, update: Any, times: int = 4) -> None:
    for _ in range(times):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.ones((2, 3))) - 1.0))
        update(model, tape.gradient(loss, model.trainable_variables))


@pytest.fixture
def model() -> Any:
    return tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(1)])


def found(session: Any) -> list[Any]:
    return [fact for group in audit(session) for fact in group.facts]


def subtract(model: Any, gradients: Any) -> list[Any]:
    weights = model.get_weights()
    for weight, gradient in zip(weights, gradients):
        weight -= 0.1 * gradient.numpy()
    return weights


def test_copies_that_are_not_stored_again(session, model) -> None:
    steps(model, subtract)
    (fact,) = found(session)
    assert fact.problem == "never-applied"
    assert fact.copies.function == "subtract"


def test_tensors_that_are_made_of_copies(session, model) -> None:
    def keep(model: Any, gradients: Any) -> None:
        weights = model.get_weights()
        weights = [weight - 0.1 * gradient for weight, gradient in zip(weights, gradients)]

    steps(model, keep)
    (fact,) = found(session)
    assert fact.copies is not None


def test_copies_that_are_stored_again(session, model) -> None:
    steps(model, lambda model, gradients: model.set_weights(subtract(model, gradients)))
    assert not found(session)


def test_copies_that_another_model_gets(session, model) -> None:
    other = tf.keras.models.clone_model(model)
    steps(model, lambda model, gradients: other.set_weights(subtract(model, gradients)))
    assert not found(session)


def test_gradients_that_are_added_up_to_be_measured(session, model) -> None:
    weights, sums = model.get_weights(), [0.0, 0.0]

    def measure(model: Any, gradients: Any) -> None:
        for position, gradient in enumerate(gradients):
            sums[position] += gradient.numpy() ** 2

    steps(model, measure)
    assert weights and not found(session)


def test_gradients_that_are_centred(session, model) -> None:
    def centre(model: Any, gradients: Any) -> None:
        for weight, gradient in zip(model.get_weights(), gradients):
            centred = gradient.numpy() - weight.mean()
            assert centred is not None

    steps(model, centre)
    assert not found(session)
