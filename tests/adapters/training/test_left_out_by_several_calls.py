"""What several calls leave out is told once."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger import filled  # noqa: E402


@pytest.mark.parametrize("traced", [False, True])
def test_one_fact_names_both_calls(session: Any, traced: bool) -> None:
    kernel, bias, critic = (tf.Variable(tf.ones(shape)) for shape in ([2, 2], [2], [2, 2]))

    def step(noise: Any) -> None:
        with tf.GradientTape() as one, tf.GradientTape() as other:
            score = tf.tanh(noise @ kernel + bias) @ critic
            wanted, unwanted = tf.reduce_mean(score), tf.reduce_mean(score**2)
        first = one.gradient(wanted, critic)
        second = other.gradient(unwanted, critic)
        critic.assign_sub(0.1 * first)
        critic.assign_sub(0.1 * second)

    run = tf.function(step) if traced else step
    for _ in range(4):
        run(tf.ones([2, 2]))
    [fact] = [fact for group in filled.groups(session) for fact in group.facts if fact.problem == "left-out"]
    begin = step.__code__.co_firstlineno
    assert (fact.asked.line, [place.line for place in fact.again]) == (begin + 4, [begin + 5])
