"""A value that got into the target only because another network was trained with it: nobody wants that way back."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def network(*widths: int) -> Any:
    layers = [tf.keras.layers.Dense(width, activation="tanh") for width in widths]
    return tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), *layers])


def train(model: Any, target: Any) -> None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(target()))
    gradients = tape.gradient(loss, model.trainable_variables)
    for variable, gradient in zip(model.trainable_variables, gradients):
        variable.assign_sub(0.1 * gradient)


def facts(session: Any) -> list[Any]:
    return [fact for group in session.facts() for fact in group.facts if fact.kind != "unexplained"]


def test_a_result_that_the_score_does_not_use(session) -> None:
    noise = tf.ones((4, 3))
    generator, critic = network(3), network(4, 1)
    fake = generator(noise)
    train(critic, lambda: critic(fake))
    with tf.GradientTape() as tape:
        generator(noise)
        score = tf.reduce_mean(critic(noise))
    assert tape.gradient(score, generator.trainable_variables) == [None, None]
    assert {fact.kind for fact in facts(session)} == {"unused"}


def test_a_copy_of_the_generator_is_named(session) -> None:
    noise = tf.ones((4, 3))
    generator, copy, critic = network(3), network(3), network(4, 1)
    fake = generator(noise)
    train(critic, lambda: critic(fake))
    with tf.GradientTape() as tape:
        score = tf.reduce_mean(critic(copy(noise)))
    tape.gradient(score, generator.trainable_variables)
    found = facts(session)
    assert found and all(fact.kind == "unused" and fact.instead for fact in found)


def test_a_target_network_of_an_earlier_step_is_no_copy_in_use(session) -> None:
    states = tf.ones((4, 3))
    actor, slow, critic = network(3), network(3), network(4, 1)
    slow.set_weights(actor.get_weights())
    train(critic, lambda: critic(states) - critic(slow(states)))
    with tf.GradientTape() as tape:
        score = tf.reduce_mean(critic(states))
    assert tape.gradient(score, actor.trainable_variables) == [None, None]
    found = facts(session)
    assert {fact.kind for fact in found} == {"unused"} and not any(fact.instead for fact in found)


def test_a_target_network_in_the_loss_is_a_copy_in_use(session) -> None:
    states = tf.ones((4, 3))
    actor, slow, critic = network(3), network(3), network(4, 1)
    slow.set_weights(actor.get_weights())
    train(critic, lambda: critic(states) - critic(slow(states)))
    with tf.GradientTape() as tape:
        score = tf.reduce_mean(critic(slow(states)))
    tape.gradient(score, actor.trainable_variables)
    found = facts(session)
    assert found and all(fact.instead for fact in found)


def test_a_way_through_training_that_may_be_wanted(session) -> None:
    model, scale = network(4, 1), tf.Variable(2.0)
    train(model, lambda: model(scale * tf.ones((4, 3))))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones((4, 3))))
    assert tape.gradient(loss, scale) is None
    assert "not-recorded" in {fact.kind for fact in facts(session)}


def test_a_step_within_the_tape_is_meant(session) -> None:
    model, rate = network(1), tf.Variable(0.1)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.ones((4, 3))) - 2.0))
        for variable, gradient in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            variable.assign_sub(rate * gradient)
        after = tf.reduce_mean(model(tf.ones((4, 3))))
    assert outer.gradient(after, rate) is None
    assert "state" in {fact.kind for fact in facts(session)}
