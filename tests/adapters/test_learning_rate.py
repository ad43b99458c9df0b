"""The learning rate of an optimizer is read where there is a value to read, and nowhere else."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import tensorflow as tf

from tensorwhy.adapters.tensorflow import still


def test_the_rate_is_read_from_a_variable_of_eager_code() -> None:
    assert still._rate(SimpleNamespace(learning_rate=tf.Variable(0.25))) == 0.25


def test_a_keras_optimizer_tells_its_rate() -> None:
    assert still._rate(tf.keras.optimizers.SGD(0.5)) == 0.5


def test_a_schedule_tells_what_it_has_come_to() -> None:
    assert still._rate(SimpleNamespace(learning_rate=tf.constant(0.125))) == 0.125


def test_a_rate_that_is_a_tensor_of_a_graph_is_not_known() -> None:
    with tf.Graph().as_default():
        rate = tf.constant(0.25)
    assert still._rate(SimpleNamespace(learning_rate=rate)) is None


def test_a_rate_that_is_a_variable_of_a_graph_is_not_known() -> None:
    with tf.Graph().as_default():
        rate = tf.Variable(0.25)
    assert still._rate(SimpleNamespace(learning_rate=rate)) is None


@pytest.mark.parametrize("rate", [0.0, 1])
def test_a_plain_number_is_itself(rate: float) -> None:
    assert still._rate(SimpleNamespace(learning_rate=rate)) == rate
