"""Variables that a layer updates by itself, in a list of those that are trained."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def kinds(session: Any) -> set[str]:
    return {fact.kind for group in session.facts() for fact in group.facts}


class Running(tf.Module):
    """Normalises by a mean that it follows, and rounds it on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = tf.Variable([2.0, 3.0])
        self.mean = tf.Variable([0.5, 0.5], trainable=False)

    def __call__(self, x: Any, update: bool) -> Any:
        if update:
            self.mean.assign_sub(0.1 * (self.mean - tf.reduce_mean(x, axis=0)))
        return (x - tf.round(self.mean)) * self.scale


@pytest.mark.parametrize("fused", [True, False])
def test_moving_averages_of_a_layer_are_no_breaks_of_its_operations(session, fused: bool) -> None:
    layer = tf.keras.layers.BatchNormalization()
    images = tf.random.normal((4, 3, 3, 2) if fused else (4, 2))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(images, training=True) ** 2)
    assert tape.gradient(loss, layer.variables)[2:] == [None, None]
    assert kinds(session) == {"unused"}


def test_a_state_that_the_step_assigns_is_one(session) -> None:
    running = Running()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(running(tf.ones((4, 2)), update=True))
    assert tape.gradient(loss, [running.scale, running.mean])[1] is None
    assert kinds(session) == {"unused"}


def test_a_frozen_variable_that_stays_as_it_is_is_none(session) -> None:
    running = Running()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(running(tf.ones((4, 2)), update=False))
    assert tape.gradient(loss, [running.scale, running.mean])[1] is None
    assert kinds(session) == {"not-watched", "no-gradient"}


def test_a_state_that_is_asked_about_alone_has_its_own_breaks(session) -> None:
    running = Running()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(running(tf.ones((4, 2)), update=True))
    assert tape.gradient(loss, running.mean) is None
    assert "no-gradient" in kinds(session)
