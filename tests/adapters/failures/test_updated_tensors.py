"""An optimizer that is given plain tensors to update: which, and how they came there in place of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import packages  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import updated_tensor  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

GENERATION = packages.generation_of(tf.keras.layers.Dense(1)) or 0


def facts(failing: Callable[[], object]) -> list[Any]:
    try:
        failing()
    except Exception as error:
        return list(updated_tensor.probe(live_failure(error, UserCode())))
    raise AssertionError("nothing failed")


def step(optimizer: Any, image: Any) -> None:
    gradient = tf.ones_like(image)
    optimizer.apply_gradients([(gradient, image)])


def test_a_constant_is_no_variable() -> None:
    (fact,) = facts(lambda: step(tf.keras.optimizers.SGD(), tf.ones([2])))
    assert (fact.name, fact.several, fact.function) == ("image", False, "")


def test_the_value_of_a_variable_that_a_traced_function_is_handed() -> None:
    optimizer, picture = tf.keras.optimizers.SGD(), tf.Variable([1.0, 2.0])

    @tf.function
    def traced(image: Any) -> None:
        gradient = tf.ones_like(image)
        optimizer.apply_gradients([(gradient, image)])

    (fact,) = facts(lambda: traced(picture.read_value()))
    assert (fact.text, fact.owner, fact.variables) == ("picture.read_value()", "picture", False)


@pytest.mark.skipif(GENERATION < 3, reason="the variables of Keras 2 are TensorFlow's, which stay what they are")
def test_variables_of_keras_that_a_traced_function_is_handed() -> None:
    optimizer, dense = tf.keras.optimizers.SGD(), tf.keras.layers.Dense(1)
    dense.build((None, 2))

    @tf.function
    def traced(gradients: Any, variables: Any) -> None:
        optimizer.apply_gradients(zip(gradients, variables))

    def failing() -> None:
        weights = dense.trainable_variables
        traced([tf.zeros(each.shape) for each in weights], weights)

    (fact,) = facts(failing)
    assert (fact.name, fact.several, fact.text, fact.variables) == ("variables", True, "weights", True)


def test_pairs_the_wrong_way_round_have_a_variable_in_them() -> None:
    variable = tf.Variable([1.0])
    assert facts(lambda: tf.keras.optimizers.SGD().apply_gradients([(variable, tf.ones([1]))])) == []
