"""The learning rate of an optimizer is read where there is a value to read, and nowhere else."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import pytest
import tensorflow as tf

from tensorwhy.adapters.tensorflow.ledger import filled
from tensorwhy.adapters.tensorflow.variables import learning_rate


def test_the_rate_is_read_from_a_variable_of_eager_code() -> None:
    assert learning_rate.now(SimpleNamespace(learning_rate=tf.Variable(0.25))) == 0.25


def test_a_keras_optimizer_tells_its_rate() -> None:
    assert learning_rate.now(tf.keras.optimizers.SGD(0.5)) == 0.5


def test_a_schedule_tells_what_it_has_come_to() -> None:
    assert learning_rate.now(SimpleNamespace(learning_rate=tf.constant(0.125))) == 0.125


def test_a_rate_that_is_a_tensor_of_a_graph_is_not_known() -> None:
    with tf.Graph().as_default():
        rate = tf.constant(0.25)
    assert learning_rate.now(SimpleNamespace(learning_rate=rate)) is None


def test_a_rate_that_is_a_variable_of_a_graph_is_not_known() -> None:
    with tf.Graph().as_default():
        rate = tf.Variable(0.25)
    assert learning_rate.now(SimpleNamespace(learning_rate=rate)) is None


@pytest.mark.parametrize("rate", [0.0, 1])
def test_a_plain_number_is_itself(rate: float) -> None:
    assert learning_rate.now(SimpleNamespace(learning_rate=rate)) == rate


class Lowered(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.optimizer.learning_rate.assign(0.0)


def trained(callback) -> None:
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(tf.ones((8, 3)), tf.zeros((8, 1)), batch_size=2, epochs=2, verbose=0, callbacks=[callback])


def facts(session):
    return [fact for group in filled.groups(session) for fact in group.facts]


def test_the_line_of_a_callback_that_sets_the_rate_is_known(session) -> None:
    trained(Lowered())
    (fact,) = facts(session)
    assert (fact.rate, fact.lowered.function.rpartition(".")[2]) == (0.0, "on_epoch_begin")


def test_a_schedule_of_keras_sets_the_rate_in_the_call_that_trains(session) -> None:
    trained(tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.0))
    (fact,) = facts(session)
    assert fact.rate == 0 and fact.lowered == fact.asked


def test_a_rate_that_was_given_to_the_optimizer_is_set_nowhere_else(session) -> None:
    model = tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.0)
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.ones((2, 3))))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    (fact,) = facts(session)
    assert fact.rate == 0 and fact.lowered is None


def test_the_rate_of_an_optimizer_that_is_gone_is_known_from_when_it_was_used(session) -> None:
    def step(rate: float, variable: tf.Variable) -> None:
        optimizer = tf.keras.optimizers.SGD(rate)
        for _ in range(4):
            with tf.GradientTape() as tape:
                loss = variable * 2.0
            optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])

    head, frozen = tf.Variable(1.0), tf.Variable(1.0)
    step(0.1, head)
    step(0.0, frozen)
    gc.collect()
    (fact,) = facts(session)
    assert fact.rate == 0


def test_an_optimizer_in_the_place_of_one_that_is_gone_is_another_one(session) -> None:
    variable = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = variable * 2.0
    slope = tape.gradient(loss, variable)
    for _ in range(3):
        tf.keras.optimizers.SGD(0.1).apply_gradients([(slope, variable)])
        gc.collect()
    assert len(session.tapes.applied.optimizers) == 3


def test_a_schedule_is_shown_with_the_numbers_that_it_was_made_from(session) -> None:
    schedule = tf.keras.optimizers.schedules.PolynomialDecay(0.0, 10, 0.0)
    variable, optimizer = tf.Variable(1.0), tf.keras.optimizers.SGD(schedule)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = variable * 2.0
        optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])
    (fact,) = facts(session)
    assert (fact.rate, fact.schedule.name, fact.schedule.step) == (0.0, "PolynomialDecay", 5)
    assert dict(fact.schedule.inputs)["decay_steps"] == "10"


def test_nothing_is_computed_to_know_what_a_schedule_gives_while_it_is_used() -> None:
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.5, 10, 0.9)
    assert learning_rate.kept(tf.keras.optimizers.SGD(schedule)) is None
    assert learning_rate.kept(tf.keras.optimizers.SGD(0.5)) == 0.5


@pytest.mark.skipif(not hasattr(tf.keras.optimizers.SGD(), "gradient_accumulation_steps"), reason="only in Keras 3")
@pytest.mark.parametrize(("every", "expected"), [(8, []), (None, [None])])
def test_an_optimizer_that_waits_for_more_calls_has_not_failed_to_move(session, every, expected) -> None:
    variable = tf.keras.Variable(1.0)
    optimizer = tf.keras.optimizers.SGD(1e-12, gradient_accumulation_steps=every)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = variable * 2.0
        optimizer.apply_gradients([(tape.gradient(loss, variable.value), variable)])
    assert [fact.lowered for fact in facts(session)] == expected
