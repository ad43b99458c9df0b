"""A symbolic tensor in code that runs on values is that also where the code hands it on to a helper."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import packages  # noqa: E402
from tensorwhy.adapters.keras_common.failures import uses  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.model.facts.symbolic import AtRuntime, RawOp  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

keras = tf.keras
GENERATION = packages.generation_of(keras.layers.Dense(1)) or 0


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    """As in a recording: nothing is filtered out of tracebacks, and tensors know their lines."""
    of_keras = importlib.import_module(f"tensorwhy.adapters.keras{GENERATION}.import_hooks")
    undo = [filtered_frames.install(UserCode()), of_keras.install(UserCode())]
    yield
    for each in reversed(undo):
        each()


def doubled(codes: Any) -> Any:
    return tf.map_fn(lambda each: 2.0 * each, codes)


def penalty(y_true: Any, y_pred: Any, codes: Any) -> Any:
    return tf.reduce_mean(doubled(codes))


def training(loss: Callable[[Any], Any]) -> Any:
    inputs = keras.Input((3,))
    codes = keras.layers.Dense(2)(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1)(codes))
    model.compile("sgd", loss(codes))
    model.train_on_batch(tf.ones((2, 3)), tf.ones((2, 1)))


def read(failing: Callable[[], Any]) -> Any:
    try:
        failing()
    except Exception as error:
        (fact,) = uses.uses(live_failure(error, UserCode()), GENERATION)
        return fact
    raise AssertionError("nothing failed")


def test_a_loss_that_closes_over_the_tensor_and_calls_a_helper() -> None:
    fact = read(lambda: training(lambda codes: lambda y_true, y_pred: penalty(y_true, y_pred, codes)))
    assert isinstance(fact, AtRuntime)


def test_a_loss_that_got_the_tensor_by_partial() -> None:
    fact = read(lambda: training(lambda codes: functools.partial(penalty, codes=codes)))
    assert isinstance(fact, AtRuntime)


def test_a_loss_that_multiplies_by_the_tensor_first() -> None:
    fact = read(lambda: training(lambda codes: lambda y_true, y_pred: tf.reduce_sum((y_true - y_pred) * codes)))
    assert isinstance(fact, AtRuntime)
    assert fact.tensor.name == "codes"


def test_a_helper_that_assembles_a_model() -> None:
    def assemble() -> Any:
        inputs = keras.Input((3,))
        return keras.Model(inputs, doubled(inputs))

    assert isinstance(read(assemble), RawOp)


class Toy:
    """A model with a handle to one of its inner tensors."""

    def __init__(self) -> None:
        inputs = keras.Input((3,))
        self.codes = keras.layers.Dense(2)(inputs)
        self.model = keras.Model(inputs, keras.layers.Dense(1)(self.codes))


def with_penalty(outputs: Any, codes: Any) -> Any:
    return tf.reduce_mean(outputs) + tf.norm(doubled(codes))


def test_a_helper_that_is_called_under_a_tape() -> None:
    toy = Toy()

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = with_penalty(toy.model(tf.ones((2, 3))), toy.codes)
        tape.gradient(loss, toy.model.trainable_variables)

    fact = read(step)
    assert isinstance(fact, AtRuntime)
    assert fact.context == "a gradient tape"


def test_a_model_that_is_assembled_by_a_helper_under_a_tape_is_assembled() -> None:
    def assembled() -> Any:
        inputs = keras.Input((3,))
        return keras.Model(inputs, doubled(keras.layers.Dense(2)(inputs)))

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(assembled()(tf.ones((2, 3))))
        tape.gradient(loss, [])

    assert isinstance(read(step), RawOp)


toy = None


def test_the_tensor_has_the_name_by_which_the_function_reaches_it() -> None:
    global toy
    toy = Toy()

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.map_fn(lambda each: each, toy.codes)
        tape.gradient(loss, [])

    assert read(step).tensor.name == "toy.codes"
