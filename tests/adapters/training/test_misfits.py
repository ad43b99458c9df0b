"""Gradients that were given for variables of another shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.variables import misfits  # noqa: E402


def found(gradient: Any, variable: Any) -> list[tuple[tuple[int | None, ...], bool]]:
    return [(each.shape, each.broadcasts) for each in misfits.among([(gradient, variable)])]


def test_a_gradient_of_the_shape_of_its_variable_fits() -> None:
    assert not found(tf.zeros([3, 2]), tf.Variable(tf.zeros([3, 2])))


def test_a_gradient_of_another_shape_does_not_fit() -> None:
    assert found(tf.zeros([2, 6]), tf.Variable(tf.zeros([3, 8]))) == [((2, 6), False)]


def test_a_gradient_that_an_optimizer_can_broadcast_is_told_apart() -> None:
    assert found(tf.zeros([2]), tf.Variable(tf.zeros([3, 2]))) == [((2,), True)]
    assert found(tf.zeros([3, 2]), tf.Variable(tf.zeros([2]))) == [((3, 2), False)]


def test_a_gradient_of_unknown_shape_fits_what_it_may_fit() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def traced(gradient: Any) -> Any:
        seen.extend((found(gradient, table), found(gradient, other)))
        return gradient

    table, other = tf.Variable(tf.zeros([3, 2])), tf.Variable(tf.zeros([3, 4]))
    seen: list[Any] = []
    traced(tf.zeros([3, 2]))
    assert seen == [[], [((None, 2), False)]]


def test_rows_of_a_table_a_missing_gradient_and_an_array_are_left_alone() -> None:
    variable = tf.Variable(tf.zeros([3, 2]))
    rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
    for gradient in (rows, None, np.zeros([9])):
        assert not found(gradient, variable)
