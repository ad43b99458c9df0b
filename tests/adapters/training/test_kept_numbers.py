"""Numbers that one method keeps in an attribute, and another takes back into what is trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")


class Agent:
    def __init__(self) -> None:
        self.weight = tf.Variable([0.2, 0.3, 0.5])
        self.history: list[Any] = []

    def choose(self) -> int:
        probs = tf.nn.softmax(self.weight)
        share = np.asarray(probs, "float64")
        action = int(np.argmax(share))
        self.history.append(probs.numpy()[action])
        return action

    def loss(self) -> Any:
        steps = [self.choose() for _ in range(3)]
        gains = np.cumsum(steps).astype("float32")
        return -tf.reduce_sum(tf.math.log(tf.stack(self.history)) * gains)


def test_what_was_kept_is_told_before_what_it_decided(session) -> None:
    agent = Agent()
    with tf.GradientTape() as tape:
        loss = agent.loss()
    assert tape.gradient(loss, agent.weight) is None
    (fact,) = [fact for group in session.facts() for fact in group.facts]
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[fact.location.line - 1]
    assert fact.kind == "left-framework" and "self.history.append" in line


class Logged(Agent):
    def loss(self) -> Any:
        probs = tf.nn.softmax(self.weight)
        self.history.append(probs.numpy())
        return tf.reduce_sum(probs * probs)

    def report(self) -> Any:
        return tf.reduce_mean(tf.stack(self.history))


def test_what_is_kept_for_a_log_is_not_told(session) -> None:
    agent = Logged()
    with tf.GradientTape() as tape:
        loss = agent.loss()
    agent.report()
    assert tape.gradient(loss, agent.weight) is not None
    assert [fact for group in session.facts() for fact in group.facts] == []
