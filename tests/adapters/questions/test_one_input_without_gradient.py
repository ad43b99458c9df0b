"""Operations that have a gradient for some of their inputs only."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def found(session: Any) -> list[tuple[str, str]]:
    return [(fact.kind, fact.argument) for group in session.facts() for fact in group.facts]


def test_the_input_that_gets_none_beside_others_is_named(session) -> None:
    shape = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        chance = tf.math.betainc(shape, 1.5, tf.constant(0.3))
    assert tape.gradient(chance, shape) is None
    assert found(session) == [("no-gradient", "a")]


def test_no_input_is_named_where_none_gets_a_gradient(session) -> None:
    weight = tf.Variable(2.3)
    with tf.GradientTape() as tape:
        whole = tf.round(weight)
    assert tape.gradient(whole, weight) is None
    assert found(session) == [("no-gradient", "")]
