"""Of what a step leaves out it is known which other step of the file would ask for gradients and did not run."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger import filled  # noqa: E402


def made() -> list[Any]:
    return [tf.Variable(tf.ones([2, 2])), tf.Variable(tf.ones([2]))]


def images(generator: list[Any]) -> Any:
    return tf.ones([2, 2]) @ generator[0] + generator[1]


def critic_step(generator: list[Any], critic: Any) -> None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(images(generator) * critic)
    critic.assign_sub(0.1 * tape.gradient(loss, critic))


def generator_step(generator: list[Any], critic: Any) -> None:
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(images(generator) * critic)
    for variable, slope in zip(generator, tape.gradient(loss, generator)):
        variable.assign_sub(0.1 * slope)


@pytest.mark.parametrize("also", [False, True])
def test_a_step_that_was_not_come_to_is_told(session: Any, also: bool) -> None:
    if also:
        generator_step(made(), tf.Variable(tf.ones([2, 2])))
    generator, critic = made(), tf.Variable(tf.ones([2, 2]))
    for _ in range(4):
        critic_step(generator, critic)
    [fact] = [fact for group in filled.groups(session) for fact in group.facts if fact.problem == "left-out"]
    assert [step_of(place) for place in fact.unreached] == ([] if also else ["generator_step"])


def step_of(place: Any) -> str:
    first = generator_step.__code__.co_firstlineno
    return "generator_step" if first <= place.line <= first + 5 else f"line {place.line}"
