"""A traced function keeps the first values of variables that Keras 3 makes while it is traced."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

pytestmark = pytest.mark.skipif(int(tf.keras.__version__.split(".")[0]) < 3, reason="Keras 2 makes them at once")


class Block(tf.keras.layers.Layer):
    def __init__(self, built: bool) -> None:
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        if built:
            self.dense.build((None, 2))

    @tf.function
    def call(self, x: Any) -> Any:
        return self.dense(x)


class Repeated(Block):
    @tf.function
    def call(self, x: Any) -> Any:
        for _ in tf.range(2):
            x = self.dense(x)[:, :1] * tf.ones([1, 2])
        return x


def asked(block: Block) -> list[Any]:
    """The gradients of a block, with respect to its variables and to one that it has nothing to do with."""
    other = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(block(tf.ones([3, 2])))
    return tape.gradient(loss, [*block.trainable_variables, other])


def first_values(session) -> dict[str, int | None]:
    facts = [fact for group in session.facts() for fact in group.facts]
    return {
        fact.sources[0].name: (fact.use and fact.use.how == "first-value" and fact.use.location.line) or None
        for fact in facts
    }


def test_variables_made_while_it_is_traced(session) -> None:
    assert asked(Block(built=False)) == [None, None, None]
    found = first_values(session)
    assert len(found) == 3
    decorator = Block.call.python_function.__code__.co_firstlineno
    assert sorted(found.values(), key=str) == [decorator, decorator, None]


def test_variables_that_only_the_body_of_a_loop_reads(session) -> None:
    block = Repeated(built=False)
    assert asked(block) == [None, None, None]
    decorator = Repeated.call.python_function.__code__.co_firstlineno
    assert sorted(first_values(session).values(), key=str) == [decorator, decorator, None]


def test_variables_made_before(session) -> None:
    gradients = asked(Block(built=True))
    assert [gradient is None for gradient in gradients] == [False, False, True]
    assert list(first_values(session).values()) == [None]
