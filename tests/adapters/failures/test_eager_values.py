"""What was made eagerly has no place in a graph that is no function's: told is its name, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import eager_values  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    """As in a recording: nothing is filtered out of tracebacks."""
    undo = tracebacks.keep((*filtered_frames.FILTERS, "keras.utils.traceback_utils", "keras.src.utils.traceback_utils"))
    yield
    undo()


def facts(failing: Callable[[], object]) -> list[Any]:
    try:
        failing()
    except Exception as error:
        return list(eager_values.probe(live_failure(error, UserCode())))
    raise AssertionError("nothing failed")


def table() -> Any:
    words = tf.lookup.KeyValueTensorInitializer(["low"], tf.constant([1], tf.int64))
    return tf.lookup.StaticHashTable(words, default_value=0)


def test_an_eager_tensor() -> None:
    def failing() -> None:
        weights = tf.constant([1.0, 2.0])
        with tf.Graph().as_default():
            tf.compat.v1.placeholder(tf.float32, [2]) * weights

    (fact,) = facts(failing)
    first = failing.__code__.co_firstlineno
    assert (fact.what, fact.text, fact.shape) == ("tensor", "weights", (2,))
    assert (fact.made.line, fact.used.line) == (first + 1, first + 3)


def test_an_eager_variable() -> None:
    weight = tf.Variable(1.0)

    def failing() -> None:
        with tf.Graph().as_default():
            tf.square(weight)

    (fact,) = facts(failing)
    assert (fact.what, fact.text) == ("variable", "weight")


def test_a_table_in_the_function_of_a_dataset() -> None:
    words = table()

    def look_up(word: Any) -> Any:
        return words.lookup(word)

    def failing() -> None:
        with tf.Graph().as_default():
            tf.data.Dataset.from_tensors("low").map(look_up)

    (fact,) = facts(failing)
    assert fact.what in ("table", "resource") and fact.made is None


def test_an_eager_tensor_in_a_traced_function_is_captured() -> None:
    weights = tf.constant([1.0, 2.0])

    def failing() -> None:
        tf.function(lambda x: x * weights)(tf.ones([2]))
        raise RuntimeError("something else")

    assert not facts(failing)


def test_a_layer_is_named_for_its_weights() -> None:
    layer = tf.keras.layers.Dense(2)
    layer.build((None, 3))

    def failing() -> None:
        with tf.Graph().as_default():
            layer(tf.compat.v1.placeholder(tf.float32, [None, 3]))

    (fact,) = facts(failing)
    assert (fact.what, fact.text) == ("layer", "layer")
