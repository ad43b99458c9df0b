"""A tensor that NumPy reads at once: no hook sees it, and no operation ever took it."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

import numpy as np  # noqa: E402


class Halved:
    def __init__(self) -> None:
        self.share = 0.5

    def __call__(self, values: Any) -> Any:
        return np.asarray(values) * self.share


halved = Halved()


def lowered(values: Any) -> Any:
    return np.asarray(values) - 1.0


def by_handed_function(handed: Any, x: Any) -> Any:
    return tf.reduce_sum(tf.constant(handed(x)) * 2.0)


def by_handed_object(maker: Any, x: Any) -> Any:
    return tf.reduce_sum(tf.constant(maker(x)) * 2.0)


def found(session: Any) -> list[tuple[str, str]]:
    facts = [fact for group in session.facts() for fact in group.facts]
    return [(fact.kind, fact.location.function.rpartition(".")[2] if fact.location else "") for fact in facts]


def test_it_left_in_the_line_that_reads_it(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        array = np.asarray(x) - 1.0
        y = tf.reduce_sum(tf.constant(array) * 2.0)
    assert tape.gradient(y, [x]) == [None]
    assert found(session) == [("left-framework", "test_it_left_in_the_line_that_reads_it")]


def test_it_left_in_a_function(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.constant(lowered(x)) * 2.0)
    assert tape.gradient(y, [x]) == [None]
    assert found(session) == [("left-framework", "lowered")]


def test_it_left_in_an_object_that_is_called(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.constant(halved(x)) * 2.0)
    assert tape.gradient(y, [x]) == [None]
    assert found(session) == [("left-framework", "__call__")]


def test_it_left_in_a_function_that_was_handed_on(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = by_handed_function(lowered, x)
    assert tape.gradient(y, [x]) == [None]
    assert found(session) == [("left-framework", "lowered")]


def test_it_left_in_an_object_that_was_handed_on(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = by_handed_object(Halved(), x)
    assert tape.gradient(y, [x]) == [None]
    assert found(session) == [("left-framework", "__call__")]


def test_an_array_that_goes_nowhere_is_no_way_out(session) -> None:
    x = tf.ones(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        mean = np.asarray(x).mean()
        y = tf.reduce_sum(tf.constant(np.ones(3)) * 2.0)
    assert mean == 1.0 and tape.gradient(y, [x]) == [None]
    assert [kind for kind, _ in found(session)] == ["unused"]
