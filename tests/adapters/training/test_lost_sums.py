"""Gradients that are summed: what the optimizer is given has to come from them."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups  # noqa: E402


def facts(session: Any) -> list[Any]:
    return [fact for group in groups(session) for fact in group.facts]


def train(add: Any, traced: bool = False) -> None:
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)

    def step() -> None:
        totals = [tf.zeros_like(variable) for variable in model.trainable_variables]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.ones((2, 3))) - 1.0))
        totals = add(totals, tape.gradient(loss, model.trainable_variables))
        optimizer.apply_gradients(zip(totals, model.trainable_variables))

    step = tf.function(step) if traced else step
    for _ in range(6):
        step()


def under_a_name(totals: list[Any], gradients: list[Any]) -> list[Any]:
    for total, gradient in zip(totals, gradients):
        total = total + gradient
    return totals


def in_place(totals: list[Any], gradients: list[Any]) -> list[Any]:
    for total, gradient in zip(totals, gradients):
        total += gradient
    return totals


def scaled(totals: list[Any], gradients: list[Any]) -> list[Any]:
    for total, gradient in zip(totals, gradients):
        total += gradient / 2.0
    return totals


@pytest.mark.parametrize("add", [under_a_name, in_place, scaled])
@pytest.mark.parametrize("traced", [False, True])
def test_sums_that_only_have_a_name(session, add, traced) -> None:
    train(add, traced)
    (fact,) = facts(session)
    assert (fact.problem, fact.summed, fact.applied.function) == ("rebound", True, add.__name__)


@pytest.mark.parametrize("traced", [False, True])
def test_sums_that_the_optimizer_is_given(session, traced) -> None:
    train(lambda totals, gradients: [total + gradient for total, gradient in zip(totals, gradients)], traced)
    assert not facts(session)


def test_zeros_on_purpose_are_no_lost_sum(session) -> None:
    def measured(totals: list[Any], gradients: list[Any]) -> list[Any]:
        assert float(tf.linalg.global_norm(gradients)) > 0
        return totals

    train(measured)
    (fact,) = facts(session)
    assert fact.problem == "never-changed"


class Kept(tf.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.total = tf.Variable(tf.zeros((3, 1)), trainable=False)

    def call(self, x: Any) -> Any:
        return self.dense(x)

    def train_step(self, data: Any) -> dict[str, Any]:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(data[0]) - data[1]))
        self.keep(tape.gradient(loss, self.trainable_variables)[0] / 4.0)
        return {"loss": loss}

    def keep(self, gradient: Any) -> None:
        self.total.assign_add(gradient)


def test_sums_that_a_variable_keeps_and_nobody_applies(session) -> None:
    model = Kept()
    model.compile("sgd")
    model.fit(tf.ones((16, 3)), tf.zeros((16, 1)), batch_size=2, epochs=1, verbose=0)
    (fact,) = facts(session)
    assert (fact.problem, fact.stored.function.rpartition(".")[2]) == ("never-applied", "keep")
