"""Dimensions that are None while a graph is traced, followed from where they fail to the shape that they are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensorwhy

tf = pytest.importorskip("tensorflow")


def answer(body: Callable[[Any], Any]) -> str:
    """What is said of the failure, when the function is traced for any number of rows; empty for nothing."""
    traced = tf.function(body, input_signature=[tf.TensorSpec([None, 4], name="x")])
    with pytest.raises((TypeError, ValueError)) as failure:
        traced(tf.ones([2, 4]))
    report = tensorwhy.why(failure.value).report
    told = [each.message for each in report.diagnoses if each.code == "TW406"] if report is not None else []
    return told[0] if told else ""


def named(x):
    rows = x.shape[0]
    return [x[i] for i in range(rows)]


def unpacked(x):
    rows, width = x.shape
    return tf.reshape(x, (rows, width // 2, 2))


def listed(x):
    sizes = x.get_shape().as_list()
    return tf.zeros([sizes[0], 3])


def computed(x):
    return tf.fill([x.shape[0] + 1, 2], 0.0)


def of_a_tensor(x):
    count = x.shape[0]
    return tf.reduce_sum(x) / count


def with_numpy(x):
    return x @ np.ones((4, x.shape[0]), "float32")


def whole(x):
    shape = x.shape
    return x + tf.random.uniform(shape)


def passed_on(x):
    return state(x.shape[0], width=3)


def state(batch, width):
    return tf.zeros((batch, width))


def helped(x):
    rows = count_of(x)
    return tf.zeros([rows, 2])


def count_of(tensor):
    return tensor.shape[0]


@pytest.mark.parametrize("body", [named, unpacked, listed, computed, of_a_tensor, with_numpy, whole, passed_on, helped])
def test_a_dimension_that_is_not_known_is_named(body: Callable[[Any], Any]) -> None:
    assert "this dimension of `x` is not known" in answer(body)


def test_of_several_unknown_dimensions_the_one_that_was_used_is_named() -> None:
    def attend(x):
        _, steps, width = x.shape
        return tf.reshape(x, (-1, steps, width))

    traced = tf.function(attend, input_signature=[tf.TensorSpec([None, None, 4])])
    with pytest.raises((TypeError, ValueError)) as failure:
        traced(tf.ones([2, 3, 4]))
    assert "`steps`, which is `x.shape[1]`" in str(tensorwhy.why(failure.value))


def own_none(x):
    rows = None
    return tf.zeros([rows, x.shape[1]])


def another_argument(x):
    rows = x.shape[0]
    return tf.reshape(x, [-1, "two"]), rows


def known_dimension(x):
    width = x.shape[1]
    return tf.zeros([width, None])


@pytest.mark.parametrize("body", [own_none, another_argument, known_dimension])
def test_a_none_that_no_shape_gave_is_not_blamed_on_one(body: Callable[[Any], Any]) -> None:
    assert answer(body) == ""


class Folding(tf.keras.layers.Layer):
    def call(self, x):
        return tf.reshape(x, (-1, 2))

    def compute_output_shape(self, shape):
        batch, width = shape
        return batch * (width // 2), 2


class Halving(Folding):
    def compute_output_shape(self, shape):
        return shape[0], shape[-1] // "2"


@pytest.mark.parametrize(
    ("layer", "told"),
    [
        (Folding, "`*` needs a number, but `batch`, which is `shape[0]`, is None"),
        (Halving, ""),
    ],
)
def test_a_shape_that_keras_gave_to_a_layer_has_dimensions_that_are_not_known(layer: Any, told: str) -> None:
    with pytest.raises(TypeError) as failure:
        layer().compute_output_shape((None, 4))
    report = tensorwhy.why(failure.value).report
    said = [each.message for each in report.diagnoses if each.code == "TW406"] if report is not None else []
    assert bool(said) == bool(told)
    assert "".join(said).startswith(told)
