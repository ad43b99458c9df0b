"""A source whose value is stored in several variables: every line that stores it is told."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402


def stores(session: TensorFlowSession) -> tuple[int, list[int]]:
    """The line of the break, and the further ones, counted from the first line that stores."""
    (fact,) = [fact for group in session.facts() for fact in group.facts]
    assert fact.kind == "state"
    return fact.location.line, [place.line for place in fact.beside]


def test_two_variables_that_hold_it_side_by_side(session) -> None:
    gain, first, second = tf.Variable(2.0), tf.Variable(0.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        first.assign(gain * 2.0)
        second.assign(gain * 3.0)
        loss = first * second
    assert tape.gradient(loss, gain) is None
    line, others = stores(session)
    assert others == [line - 1]


def test_a_variable_that_holds_something_else_is_none_of_them(session) -> None:
    gain, first, second = tf.Variable(2.0), tf.Variable(0.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        first.assign(gain * 2.0)
        second.assign(first.shape.rank * 3.0)
        loss = first * second
    assert tape.gradient(loss, gain) is None
    assert stores(session)[1] == []


def test_an_array_that_is_computed_with_and_then_stored_is_one_copy(session) -> None:
    gain, first = tf.Variable([2.0, 3.0]), tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        array = (gain * 2.0).numpy()
        first.assign(tf.constant(array) * 0.9 + 1.0)
        loss = first * 1.0
    assert tape.gradient(loss, gain) is None
    (fact,) = [fact for group in session.facts() for fact in group.facts]
    assert (fact.kind, fact.location.line - fact.exit.line) == ("state", 1)
