"""One run of a network lies before the tape, and the other one, inside of it, is stopped: which was meant to be?"""

from __future__ import annotations

import pytest

from support.evidence import evidence
from support.runner import Result, Runner

BREAKS = """
import numpy as np
import tensorflow as tf

x, after, reward = tf.random.normal([8, 3]), tf.random.normal([8, 3]), tf.random.normal([8, 1])


class Agent:
    def __init__(self):
        self.kernel = tf.Variable([[0.5], [1.0], [-1.0]])

    def value(self, state):
        return tf.tanh(state @ self.kernel)

    def goal(self, state, reward):
        return reward + 0.9 * self.value(state)


agent = Agent()

goal = agent.goal(after, reward)
with tf.GradientTape() as tape:
    value = tf.stop_gradient(agent.value(x))
    loss = tf.reduce_mean(tf.square(goal - value))
tape.gradient(loss, agent.kernel)  # stopped value

goal = agent.goal(after, np.ones([8, 1], np.float32))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(tf.stop_gradient(agent.value(x)) - goal))
tape.gradient(loss, agent.kernel)  # array

later = agent.value(after)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(reward + 0.9 * later - tf.stop_gradient(agent.value(x))))
tape.gradient(loss, agent.kernel)  # added inside

value = agent.value(x)
with tf.GradientTape() as tape:
    goal = tf.stop_gradient(agent.goal(after, reward))
    loss = tf.reduce_mean(tf.square(value - goal))
tape.gradient(loss, agent.kernel)  # stopped goal

one = agent.value(x)
with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(one * tf.stop_gradient(agent.value(after)))
tape.gradient(loss, agent.kernel)  # two views

goal = agent.goal(after, reward)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(goal))
tape.gradient(loss, agent.kernel)  # only outside

goal = agent.goal(after, reward)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(goal - agent.value(x)))
tape.gradient(loss, agent.kernel)  # as it should be
"""


@pytest.fixture(scope="module")
def answered(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("sides") / "sides.py"
    program.write_text(BREAKS)
    return runner.run(program)


@pytest.mark.parametrize(
    ("word", "codes"),
    [
        ("stopped value", ["TW104"]),
        ("array", ["TW104"]),
        ("added inside", ["TW104"]),
        ("stopped goal", ["TW102"]),
        ("two views", ["TW102"]),
        ("only outside", ["TW102"]),
        ("as it should be", []),
    ],
)
def test_what_data_are_added_to_is_the_constant(answered: Result, word: str, codes: list[str]) -> None:
    assert answered.report is not None, answered.stderr
    line = BREAKS[: BREAKS.index(f"# {word}\n")].count("\n") + 1
    found = [d for d in answered.report.diagnoses if d.symptom.location and d.symptom.location.line == line]
    assert [each.code for each in found] == codes
    assert not found or {status for status, _ in evidence(answered, BREAKS, word)} == {"confirmed"}
