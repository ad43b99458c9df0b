"""What a graph normalises over a single element."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.variables import over_one_element  # noqa: E402


def shares(x):
    return x / tf.reduce_sum(x, axis=-1, keepdims=True)


def shares_of_the_last_axis_by_its_number(x):
    return x / tf.reduce_sum(x, axis=1, keepdims=True)


def cross_entropy(x):
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.ones_like(x), logits=x)


def shares_of_the_batch(x):
    return x / tf.reduce_sum(x, axis=0, keepdims=True)


def shares_of_the_squares(x):
    return x / tf.reduce_sum(x * x, axis=-1, keepdims=True)


def found(compute, width):
    graph = tf.function(compute).get_concrete_function(tf.TensorSpec([None, width], tf.float32)).graph
    outputs = over_one_element.outputs(graph)
    return [op.type for op in graph.get_operations() for tensor in op.outputs if tensor._id in outputs]


@pytest.mark.parametrize("compute", [shares, shares_of_the_last_axis_by_its_number])
def test_a_value_divided_by_its_sum_over_one_element_is_found(compute):
    assert found(compute, 1) == ["RealDiv"]


def test_a_cross_entropy_over_one_class_is_found_though_flattening_lost_the_size():
    assert found(cross_entropy, 1) == ["SoftmaxCrossEntropyWithLogits"]


@pytest.mark.parametrize("compute", [shares, cross_entropy])
def test_what_is_normalised_over_two_elements_is_left_alone(compute):
    assert found(compute, 2) == []


@pytest.mark.parametrize("compute", [shares_of_the_batch, shares_of_the_squares])
def test_a_division_by_another_sum_is_left_alone(compute):
    assert found(compute, 1) == []
