"""What a library read as an array, and gave back as one, left TensorFlow in the call of the library."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

LIBRARY = types.ModuleType("site-packages")
exec(  # a function of nobody's code: its lines are not the user's
    compile("def evaluate(f, x):\n    return f(x).numpy()\n", "<library>", "exec"), LIBRARY.__dict__
)


def facts(session: Any) -> list[Any]:
    return [fact for group in session.facts() for fact in group.facts]


def test_an_array_of_a_library_is_named_where_it_was_made(session) -> None:
    weight = tf.Variable([2.0, 3.0])

    def distance(a: Any, b: Any) -> Any:
        seen = LIBRARY.evaluate(tf.square, b)
        return tf.reduce_sum(tf.square(a - seen))

    with tf.GradientTape() as tape:
        loss = distance(np.array([1.0, 1.0], "float32"), tf.nn.relu(weight))
    assert tape.gradient(loss, [weight]) == [None]
    (fact,) = facts(session)
    assert fact.kind == "left-framework" and fact.location.function.endswith("distance")


def test_an_array_that_goes_nowhere_is_not_blamed(session) -> None:
    weight, other = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        shown = LIBRARY.evaluate(tf.square, weight)
        loss = tf.reduce_sum(other * np.array([1.0, 2.0], "float32"))
    assert shown.shape == (2,) and tape.gradient(loss, [weight]) == [None]
    assert {fact.kind for fact in facts(session)} == {"unused"}


def test_a_loss_that_is_logged_does_not_hide_what_the_dataset_computed(session) -> None:
    weight, head = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])

    def prepare(x: Any) -> Any:
        return weight * x

    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(head * x - 1.0))
        assert tape.gradient(loss, [weight, head])[0] is None
        return loss

    data = tf.data.Dataset.from_tensor_slices(tf.ones((4, 2))).map(prepare).prefetch(1)
    for _ in range(2):
        print([float(step(x)) for x in data])
    assert {fact.kind for fact in facts(session)} == {"not-recorded"}


def test_an_array_beside_a_tensor_in_one_call_did_not_come_from_it(session) -> None:
    weight, other = tf.Variable([2.0, 3.0]), tf.Variable([1.0, 1.0])

    def distance(a: Any, b: Any) -> Any:
        return tf.reduce_sum(tf.square(a - other))

    with tf.GradientTape() as tape:
        loss = distance(np.array([1.0, 1.0], "float32"), 2.0 * weight)
    assert tape.gradient(loss, [weight]) == [None]
    assert {fact.kind for fact in facts(session)} == {"unused"}
