"""What is found when an optimizer of TensorFlow 1 refuses because it has no variables."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import no_variables  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

v1 = tf.compat.v1


def refused(ask: Any) -> Any:
    try:
        ask()
    except ValueError as error:
        found = list(no_variables.probe(live_failure(error, UserCode())))
        return found[0] if found else None
    raise AssertionError("nothing was refused")


def optimizer() -> Any:
    return v1.train.GradientDescentOptimizer(0.1)


def test_the_variables_of_the_loss_that_are_not_trainable() -> None:
    with tf.Graph().as_default():
        weight = v1.get_variable("w", [], trainable=False)
        v1.get_variable("elsewhere", [], trainable=False)
        fact = refused(lambda: optimizer().compute_gradients(tf.square(weight)))
    assert [(each.name, each.trainable) for each in fact.variables] == [("w:0", False)]
    assert not fact.chosen


def test_a_variable_that_the_collections_of_the_graph_do_not_hold() -> None:
    with tf.Graph().as_default():
        weight = v1.get_variable("w", [], trainable=False, collections=[])
        fact = refused(lambda: optimizer().minimize(tf.square(weight), var_list=None))
    assert [each.name for each in fact.variables] == ["w"]
    assert not fact.chosen


def test_a_list_that_was_chosen_and_is_empty() -> None:
    with tf.Graph().as_default():
        weight = v1.get_variable("w", [])
        wanted = [each for each in v1.trainable_variables() if each.name.startswith("other")]
        fact = refused(lambda: optimizer().minimize(tf.square(weight), var_list=wanted))
    assert [(each.name, each.trainable) for each in fact.variables] == [("w:0", True)]
    assert fact.chosen


def test_a_loss_that_eager_code_computes_from_no_variable() -> None:
    value = tf.constant(2.0)
    fact = refused(lambda: optimizer().minimize(lambda: tf.square(value)))
    assert fact.variables == () and not fact.chosen


def test_another_refusal_is_left_to_others() -> None:
    with tf.Graph().as_default():
        weight = v1.get_variable("w", [])
        assert refused(lambda: optimizer().minimize(tf.square(tf.stop_gradient(weight)))) is None
