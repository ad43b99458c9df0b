"""Which variables count as left out: asked for beside others that are trained, and never trained themselves."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def left_out(session: Any) -> set[bool]:
    return {fact.sources[0].left_out for group in session.facts() for fact in group.facts}


def train(used: Any, spare: Any, steps: int = 3, follow: float = 0.0) -> None:
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.square(used * 2.0 - 1.0)
        for gradient, variable in zip(tape.gradient(loss, [used, spare]), [used, spare]):
            if gradient is not None:
                variable.assign_sub(0.1 * gradient)
        if follow:
            spare.assign((1 - follow) * spare + follow * used)


def test_a_variable_that_no_step_trains_is_left_out(session) -> None:
    train(tf.Variable(1.0), tf.Variable(2.0))
    assert left_out(session) == {True}


def test_one_step_is_no_training(session) -> None:
    train(tf.Variable(1.0), tf.Variable(2.0), steps=1)
    assert left_out(session) == {False}


def test_a_variable_that_is_assigned_is_not_left_out(session) -> None:
    train(tf.Variable(1.0), tf.Variable(2.0), follow=0.1)
    assert left_out(session) == {False}


def test_a_variable_that_another_question_trains_is_not_left_out(session) -> None:
    used, spare = tf.Variable(1.0), tf.Variable(2.0)
    train(used, spare)
    with tf.GradientTape() as tape:
        loss = spare * 2.0
    assert tape.gradient(loss, spare) is not None
    assert left_out(session) == {False}


def test_a_variable_that_is_not_trainable_is_not_left_out(session) -> None:
    train(tf.Variable(1.0), tf.Variable(2.0, trainable=False))
    assert left_out(session) == {False}
