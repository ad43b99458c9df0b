"""Two networks and two optimizers: whose gradients are given to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.variables.crossed import across  # noqa: E402

Give = Callable[[list[Any], list[Any], list[Any], list[Any]], None]


def train(give: Give, traced: bool) -> None:
    nets = [tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(3)]) for _ in range(2)]
    first, second = (net.trainable_variables for net in nets)
    x = tf.random.stateless_normal((8, 3), (1, 2))

    def step() -> None:
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean(tf.square(nets[1](nets[0](x)) - x))
        give(tape.gradient(loss, first), tape.gradient(loss, second), first, second)

    step = tf.function(step) if traced else step
    for _ in range(4):
        step()


def optimizers() -> tuple[Any, Any]:
    return tf.keras.optimizers.SGD(0.1), tf.keras.optimizers.SGD(0.1)


def the_first_twice() -> Give:
    one, two = optimizers()

    def give(a: list[Any], b: list[Any], first: list[Any], second: list[Any]) -> None:
        one.apply_gradients(zip(a, first))
        two.apply_gradients(zip(a, second))

    return give


def each_its_own() -> Give:
    one, two = optimizers()

    def give(a: list[Any], b: list[Any], first: list[Any], second: list[Any]) -> None:
        one.apply_gradients(zip(a, first))
        two.apply_gradients(zip(b, second))

    return give


def a_sum_for_one() -> Give:
    one, two = optimizers()

    def give(a: list[Any], b: list[Any], first: list[Any], second: list[Any]) -> None:
        one.apply_gradients(zip(a, first))
        two.apply_gradients([(0.5 * (g + h), v) for g, h, v in zip(a, b, second)])

    return give


def first_alone_for_a_copy() -> Give:
    one, two = optimizers()
    copies = [tf.Variable(tf.zeros((3, 3))), tf.Variable(tf.zeros((3,)))]

    def give(a: list[Any], b: list[Any], first: list[Any], second: list[Any]) -> None:
        one.apply_gradients([*zip(a, first), *zip(b, second)])
        two.apply_gradients(zip(a, copies))

    return give


@pytest.mark.parametrize("traced", [False, True])
def test_gradients_that_are_applied_twice_and_others_never(session, traced) -> None:
    train(the_first_twice(), traced)
    (found,) = across(session)
    assert len(found.handles) == 2 and found.instead not in found.handles


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("give", [each_its_own, a_sum_for_one, first_alone_for_a_copy])
def test_what_has_its_own_gradients_or_was_never_asked_about_is_left_in_peace(session, give, traced) -> None:
    train(give(), traced)
    assert not list(across(session))
