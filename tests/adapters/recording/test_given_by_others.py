"""Targets that are made of what a dataset or a Python function gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")


def fact(session: Any) -> Any:
    (found,) = [fact for group in session.facts() for fact in group.facts]
    return found


def test_a_value_that_goes_into_a_dataset_is_lost_there(session) -> None:
    weight, x = tf.Variable([2.0, 3.0]), tf.ones((4, 2))
    with tf.GradientTape() as tape:
        scores = tf.reduce_sum(x * weight, axis=1)
        loss = tf.constant(0.0)
        for pair in tf.data.Dataset.from_tensor_slices(scores).shuffle(4).batch(2):
            loss += pair[0] - pair[1]
    assert tape.gradient(loss, weight) is None
    found = fact(session)
    assert (found.kind, found.region, found.role) == ("not-recorded", "dataset", "elements")


def test_indices_from_a_dataset_take_nothing_away(session) -> None:
    weight, x = tf.Variable([2.0, 3.0]), tf.ones((4, 2))
    with tf.GradientTape() as tape:
        scores = tf.reduce_sum(x * weight, axis=1)
        rows = [tf.gather(scores, pair) for pair in tf.data.Dataset.range(4).shuffle(4).batch(2)]
        loss = tf.reduce_sum(tf.stack(rows))
    assert tape.gradient(loss, weight) is not None
    assert [fact for group in session.facts() for fact in group.facts] == []


@pytest.mark.parametrize("used", [False, True])
def test_a_python_function_that_gives_all_of_a_target_is_named(session, used: bool) -> None:
    weight, other = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])

    def scores() -> Any:
        return np.float32((weight * 2.0).numpy().sum())

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.square(tf.numpy_function(scores, [], tf.float32))
            loss += tf.reduce_sum(other) if used else 0.0
        return tape.gradient(loss, weight) is None

    assert step()
    found = fact(session)
    assert found.kind == "unused" and (found.python is None) is used
