"""Updates over which the program stores another value."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.variables import taken_back  # noqa: E402


def network() -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    model(tf.ones((1, 3)))
    return model


def step(model: Any, optimizer: Any) -> None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones((4, 3))) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def over(session: Any, model: Any) -> str:
    handles = [session.recorder.handle_of(variable) for variable in model.trainable_variables]
    session.recorder.stop()
    found = taken_back.over(session, handles)
    return "" if found is None else found.function.rpartition(".")[2]


def put_back(model: Any, weights: Any) -> None:
    model.set_weights(weights)


def test_weights_that_are_set_after_each_update(session) -> None:
    model, optimizer = network(), tf.keras.optimizers.SGD(0.1)
    weights = model.get_weights()
    for _ in range(3):
        step(model, optimizer)
        put_back(model, weights)
    assert over(session, model) == "put_back"


def test_an_update_that_stays(session) -> None:
    model, optimizer = network(), tf.keras.optimizers.SGD(0.1)
    model.set_weights(model.get_weights())
    for _ in range(3):
        step(model, optimizer)
    assert over(session, model) == ""


def test_what_a_constraint_stores_is_a_part_of_the_update(session) -> None:
    layer = tf.keras.layers.Dense(2, kernel_constraint=tf.keras.constraints.NonNeg())
    model, optimizer = tf.keras.Sequential([layer]), tf.keras.optimizers.SGD(0.1)
    model(tf.ones((1, 3)))
    for _ in range(3):
        step(model, optimizer)
    assert over(session, model) == ""
