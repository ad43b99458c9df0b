"""Descent that is written by hand: what becomes of the variable when an update gets its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit as zeros  # noqa: E402
from tensorwhy.adapters.tensorflow.ledger.filled import groups as audit  # noqa: E402


def slopes(weights: list[Any]) -> list[Any]:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.add_n([tf.identity(weight) for weight in weights]) - 1.0))
    return tape.gradient(loss, weights)


def made() -> list[Any]:
    weights = [tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])]
    return weights


def breaks(session: Any) -> list[Any]:
    return [fact for group in session.facts() for fact in group.facts if getattr(fact, "kind", "") == "not-watched"]


def stepped(weights: list[Any]) -> list[Any]:
    return [weight - 0.1 * slope for weight, slope in zip(weights, slopes(weights))]


def test_a_list_of_new_tensors_that_a_function_returns_takes_over_the_name(session) -> None:
    weights = made()
    weights = stepped(weights)
    assert slopes(weights) == [None, None]
    assert {fact.rebound.function for fact in breaks(session)} == {
        "test_a_list_of_new_tensors_that_a_function_returns_takes_over_the_name"
    }


def test_under_another_name_it_is_a_plain_tensor(session) -> None:
    weights = made()
    fast = stepped(weights)
    slopes(fast)
    assert [fact.was for fact in breaks(session)] == [None, None]


class Line:
    def __init__(self) -> None:
        self.slope = tf.Variable([1.0, 2.0])


def test_an_attribute_that_is_set_from_outside(session) -> None:
    line = Line()
    for _ in range(2):
        (found,) = slopes([line.slope])
        line.slope = line.slope - 0.1 * (found if found is not None else 0.0)
    (fact,) = breaks(session)
    assert fact.was is not None and fact.rebound is not None


def test_what_an_assignment_returns_is_not_the_variable(session) -> None:
    weight = tf.Variable([1.0, 2.0])
    weight = weight.assign_sub([0.1, 0.1])
    assert slopes([weight]) == [None]
    (fact,) = breaks(session)
    assert fact.was is not None and fact.stored.line == fact.rebound.line


def test_what_an_assignment_returns_under_another_name(session) -> None:
    weight = tf.Variable([1.0, 2.0])
    after = weight.assign_sub([0.1, 0.1])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(after)
    assert tape.gradient(loss, weight) is None
    (fact,) = breaks(session)
    assert fact.stored is not None and fact.was is None


def test_an_assignment_beside_the_step_is_not_blamed(session) -> None:
    weight, state = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0], trainable=False)
    weight.assign_sub([0.1, 0.1])
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        loss = tf.reduce_sum(weight * state)
    tape.gradient(loss, weight)
    (fact,) = breaks(session)
    assert fact.stored is None


def a_tensor(weight: Any, slope: Any) -> None:
    weight = weight - 0.1 * slope


def a_variable(weight: Any, slope: Any) -> None:
    weight = tf.Variable(weight - 0.1 * slope)


def a_kept_variable(kept: list[Any]) -> Callable[[Any, Any], None]:
    def keep(weight: Any, slope: Any) -> None:
        weight = tf.Variable(weight - 0.1 * slope)
        kept.append(weight + 1.0)

    return keep


@pytest.mark.parametrize("update", [a_tensor, a_variable])
def test_an_update_that_only_gets_the_name(session, update) -> None:
    weights = made()
    for _ in range(6):
        for weight, slope in zip(weights, slopes(weights)):
            update(weight, slope)
    (fact,) = [fact for group in audit(session) for fact in group.facts]
    assert (fact.problem, fact.applied.function) == ("rebound", update.__name__)


def test_a_new_variable_that_is_used_is_not_lost(session) -> None:
    weights, kept = made(), []
    update = a_kept_variable(kept)
    for _ in range(6):
        for weight, slope in zip(weights, slopes(weights)):
            update(weight, slope)
    assert not [fact for group in audit(session) for fact in group.facts]


@pytest.mark.parametrize("updated", [True, False])
def test_what_a_traced_step_updates_by_hand_is_trained(session, updated: bool) -> None:
    flat, moving = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sign(flat) * moving**2)
        zero, slope = tape.gradient(loss, [flat, moving])
        moving.assign_sub(0.1 * slope)
        if updated:
            flat.assign_sub(0.1 * zero)

    for _ in range(4):
        step()
    assert [fact.trained for group in zeros(session) for fact in group.facts] == [updated]
