"""Second gradients of networks that are made of straight pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.no_curvature import audit  # noqa: E402

Function = Callable[[Any], Any]


def second(function: Function, x: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def train(loss_of: Callable[[Function, Any], Any], bend: Function, traced: bool, weigh: float = 1.0) -> None:
    weights = [tf.Variable(tf.random.stateless_normal(s, (1, s[0]))) for s in ((2, 8), (8, 1))]
    x = tf.random.stateless_normal((16, 2), (1, 2))

    def net(x: Any) -> Any:
        return bend(x @ weights[0]) @ weights[1]

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - 1.0)) + weigh * loss_of(net, x)
        for weight, slope in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.01 * slope)

    step = tf.function(step) if traced else step
    for _ in range(6):
        step()


def of_a_network(net: Function, x: Any) -> Any:
    return tf.reduce_mean(tf.square(second(net, x) - 1.0))


def of_a_curved_loss(net: Function, x: Any) -> Any:
    return tf.reduce_mean(tf.square(second(lambda z: tf.square(net(z)), x)))


def beside_a_curve(net: Function, x: Any) -> Any:
    return tf.reduce_mean(tf.square(second(lambda z: net(z) + tf.reduce_sum(z**3, 1, keepdims=True), x)))


def measured(net: Function, x: Any) -> Any:
    second(net, x)
    return 0.0


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("bend", [tf.nn.relu, tf.nn.leaky_relu, tf.nn.relu6])
def test_a_function_of_straight_pieces_has_none(session, bend, traced) -> None:
    train(of_a_network, bend, traced)
    (fact,) = audit(session)
    assert fact.op in ("Relu", "LeakyRelu", "Relu6")
    assert {place.function for place in fact.straight} == {"train.<locals>.net"} or fact.straight[0].function == "net"


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("loss_of", [of_a_curved_loss, beside_a_curve, measured])
def test_what_is_curved_elsewhere_or_only_measured_is_not_told(session, loss_of, traced) -> None:
    train(loss_of, tf.nn.relu, traced)
    assert not list(audit(session))


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("bend", [tf.tanh, tf.nn.elu, tf.identity])
def test_a_function_that_bends_or_has_no_answer(session, bend, traced) -> None:
    train(of_a_network if bend is not tf.identity else measured, bend, traced)
    assert not list(audit(session))


def test_biases_that_a_slope_does_not_depend_on_are_left_in_peace(session) -> None:
    weights = [tf.Variable(tf.random.stateless_normal(s, (1, 2))) for s in ((2, 8), (8,), (8, 1))]
    x = tf.random.stateless_normal((16, 2), (1, 2))
    for _ in range(6):
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(x)
                score = tf.nn.relu(x @ weights[0] + weights[1] + 2.0) @ weights[2]
            loss = tf.reduce_mean(tf.square(tf.norm(inner.gradient(score, x), axis=1) - 1.0))
        for weight, slope in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.01 * slope)
    from tensorwhy.adapters.tensorflow.audits import zero_gradients
    from tensorwhy.diagnosis.signal import as_it_should_be

    facts = [fact for group in zero_gradients.audit(session) for fact in group.facts]
    assert all(map(as_it_should_be, facts))
