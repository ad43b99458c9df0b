"""Tensors that a function with a custom gradient uses, and did not get as arguments."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def facts(session: Any) -> list[Any]:
    return [fact for group in session.facts() for fact in group.facts]


def asked(function: Any) -> list[bool]:
    made, weight = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = function(weight * 1.0, made * 2.0)
    return [gradient is None for gradient in tape.gradient(loss, [made, weight])]


def recomputed(x: Any, scale: Any) -> Any:
    def block(t: Any) -> Any:
        return tf.sin(t * scale) + t

    return tf.recompute_grad(block)(x)


def given(x: Any, scale: Any) -> Any:
    return tf.recompute_grad(lambda t, factor: tf.sin(t * factor))(x, scale)


def by_hand(x: Any, scale: Any) -> Any:
    @tf.custom_gradient
    def scaled(t: Any) -> Any:
        return t * scale, lambda upstream: upstream * 2.0

    return scaled(x)


def test_a_recomputed_function_is_one_break_at_its_call(session) -> None:
    assert asked(recomputed) == [True, False]
    (fact,) = facts(session)
    first = recomputed.__code__.co_firstlineno
    assert (fact.kind, fact.role, fact.exact) == ("custom-gradient", "recomputed", True)
    assert (fact.location.line, fact.entry.line) == (first + 4, first + 2)


def test_a_recomputed_function_passes_on_what_it_is_given(session) -> None:
    assert asked(given) == [False, False]
    assert not facts(session)


def test_a_custom_gradient_has_none_for_what_its_function_closes_over(session) -> None:
    assert asked(by_hand) == [True, False]
    (fact,) = facts(session)
    assert (fact.kind, fact.role) == ("custom-gradient", "closure")


def test_what_stands_in_a_pause_of_the_program_stays_one_of_its_own(session) -> None:
    def paused(x: Any, scale: Any) -> Any:
        with tape.stop_recording():
            kept = tf.exp(scale)
        return recomputed(x, kept)

    made = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = paused(tf.constant(3.0), made * 2.0)
    assert tape.gradient(loss, made) is None
    assert {fact.kind for fact in facts(session)} == {"not-recorded", "custom-gradient"}
