"""A layer that is made untrainable when its step has been traced goes on being trained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.keras_common.learning import frozen  # noqa: E402
from tensorwhy.adapters.tensorflow.variables.late_freezing import facts  # noqa: E402
from tensorwhy.diagnosis.engine import diagnose  # noqa: E402
from tensorwhy.reasons import catalogue  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402
from tensorwhy.source.files import Sources  # noqa: E402

X = tf.random.stateless_normal([8, 3], seed=[1, 2])


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """What is said of layers is noted."""
    kind = next(each for each in tf.keras.layers.Layer.__mro__ if "trainable" in vars(each))
    undo = frozen.watch(kind, UserCode())
    yield
    undo()


def model() -> Any:
    base = tf.keras.Sequential([tf.keras.layers.InputLayer((3,)), tf.keras.layers.Dense(4)])
    return tf.keras.Sequential([base, tf.keras.layers.Dense(1)]), base


def step_of(network: Any) -> Callable[[Any], None]:
    optimizer = tf.keras.optimizers.SGD(0.01)

    @tf.function
    def step(x: Any) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(network(x) ** 2)
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    return step


def run(step: Callable[[Any], None], times: int) -> None:
    for _ in range(times):
        step(X)


def test_a_step_that_was_traced_before_goes_on_training_it(session: Any) -> None:
    network, base = model()
    step = step_of(network)
    run(step, 5)
    base.trainable = False
    run(step, 4)
    groups = list(facts(session))
    ((fact,),) = (group.facts for group in groups)
    assert (fact.value, fact.traced, fact.layer, len(fact.variables)) == (False, True, base.name, 2)
    [found] = diagnose(groups, catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW116", "warning")
    assert found.primary.line == fact.said.line


def test_the_layers_of_one_line_are_told_together(session: Any) -> None:
    network, _ = model()
    step = step_of(network)
    run(step, 2)
    for layer in network.layers:
        layer.trainable = False
    run(step, 4)
    ((fact,),) = (group.facts for group in facts(session))
    assert (fact.layer, len(fact.variables)) == ("", 4)


def test_a_step_that_is_traced_after_it_does_as_was_said(session: Any) -> None:
    network, base = model()
    run(step_of(network), 5)
    base.trainable = False
    run(step_of(network), 5)
    assert not list(facts(session))


def test_what_is_frozen_at_the_end_is_not_too_late(session: Any) -> None:
    network, base = model()
    run(step_of(network), 5)
    base.trainable = False
    network(X)
    assert not list(facts(session))


def test_a_flag_that_is_set_for_each_step_in_turn_is_known_to_do_nothing(session: Any) -> None:
    network, base = model()
    step = step_of(network)
    for _ in range(6):
        run(step, 4)
        base.trainable = False
        network(X)
        base.trainable = True
    base.trainable = False
    run(step, 4)
    assert not list(facts(session))


def test_it_may_have_been_said_for_another_step(session: Any) -> None:
    network, base = model()
    own = step_of(base)
    run(own, 1)
    base.trainable = False
    both = step_of(network)
    for _ in range(5):
        run(own, 1)
        run(both, 1)
    assert not list(facts(session))
