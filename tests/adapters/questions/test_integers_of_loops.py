"""Integers that a traced loop gives: told is the line in the loop that made them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

Made = Callable[[Any], Any]


def written(x: Any) -> Any:
    numbers = tf.TensorArray(tf.int64, size=3)
    for i in tf.range(3):
        found = tf.argmax(x * tf.cast(i, tf.float32))  # here
        numbers = numbers.write(i, found)
    return tf.cast(numbers.stack(), tf.float32)


def carried(x: Any) -> Any:
    number = tf.constant(0, tf.int64)
    for _ in tf.range(3):
        number = number + tf.argmax(x)  # here
    return tf.cast(number, tf.float32)


def cast(x: Any) -> Any:
    numbers = tf.TensorArray(tf.int32, size=3)
    for i in tf.range(3):
        numbers = numbers.write(i, tf.cast(x[i], tf.int32))  # here
    return tf.cast(numbers.stack(), tf.float32)


def after(x: Any) -> Any:
    numbers = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        numbers = numbers.write(i, x[i])
    whole = tf.cast(numbers.stack(), tf.int32)  # here
    return tf.cast(whole, tf.float32)


@pytest.mark.parametrize(
    ("function", "kind"), [(written, "no-gradient"), (carried, "no-gradient"), (cast, "dtype"), (after, "dtype")]
)
def test_the_line_that_makes_them(session, function: Made, kind: str) -> None:
    @tf.function
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(function(x))
        assert tape.gradient(loss, x) is None
        return loss

    step(tf.constant([1.0, 2.0, 3.0]))
    (fact,) = [fact for group in session.facts() for fact in group.facts]
    lines, start = inspect.getsourcelines(function)
    (line,) = [start + at for at, text in enumerate(lines) if "# here" in text]
    assert (fact.kind, fact.location.line) == (kind, line)
