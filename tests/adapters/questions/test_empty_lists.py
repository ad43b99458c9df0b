"""A gradient that is asked for an empty list, beside lists that hold something."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger import filled  # noqa: E402


class Parts:
    def __init__(self) -> None:
        self.wide = tf.Variable([[1.0], [2.0]], name="wide")
        self.deep = tf.Variable([[3.0], [4.0]], name="deep")
        self.optimizers = [tf.keras.optimizers.SGD(0.1) for _ in range(2)]

    def step(self, second: list[Any]) -> None:
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_sum(tf.ones((1, 2)) @ (self.wide + self.deep))
        for optimizer, variables in zip(self.optimizers, ([self.wide], second)):
            gradients = tape.gradient(loss, variables)
            if variables:
                optimizer.apply_gradients(zip(gradients, variables))


def left(session: Any) -> list[list[str]]:
    session.tapes.applied.empty = True
    return [[each.name for each in fact.variables] for group in filled.empty_lists(session) for fact in group.facts]


def test_what_another_list_holds_is_trained(session) -> None:
    Parts().step([])
    assert left(session) == [["deep:0"]]


def test_nothing_is_missing_where_other_lists_hold_all_that_was_read(session) -> None:
    parts = Parts()
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(parts.wide * parts.deep)
    assert tape.gradient(loss, []) == [] and len(tape.gradient(loss, [parts.wide, parts.deep])) == 2
    assert left(session) == []
