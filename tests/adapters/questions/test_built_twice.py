"""Two copies of a network, made by one function: the call that made the one in use tells them apart."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def dense(units: int) -> list[Any]:
    kernel = tf.Variable(tf.ones((2, units)), name="kernel")
    bias = tf.Variable(tf.zeros((units,)), name="bias")
    return [kernel, bias]


def network() -> list[Any]:
    hidden = dense(2)
    return [*hidden, *dense(1)]


def test_the_call_that_made_the_copy_in_use_is_named_once_for_all(session) -> None:
    asked = network()
    used = network()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.ones((1, 2)) @ used[0] + used[1]) @ used[2] + used[3])
    assert tape.gradient(loss, asked) == [None] * 4
    facts = [fact for group in session.facts() for fact in group.facts]
    here = test_the_call_that_made_the_copy_in_use_is_named_once_for_all.__code__.co_firstlineno
    assert [(fact.kind, fact.instead[0].created.line) for fact in facts] == [("unused", here + 2)] * 4
