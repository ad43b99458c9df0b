"""What a session is asked for while TensorFlow executes eagerly is told apart: values, or symbolic Keras tensors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import graph_only_in_eager  # noqa: E402
from tensorwhy.model.facts.graph import GraphOnlyInEager  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

session = tf.compat.v1.Session()
values = tf.constant([1.0])
symbolic = tf.keras.Input((3,))


def fetched() -> None:
    session.run(symbolic)


def fed() -> None:
    session.run(symbolic, feed_dict={symbolic: [[1.0, 2.0, 3.0]]})


def eager() -> None:
    session.run(values)


def eagerly_fed() -> None:
    session.run(values, feed_dict={values: [2.0]})


@pytest.mark.parametrize(
    ("asking", "role"), [(fetched, "layers"), (fed, "layers"), (eager, "session"), (eagerly_fed, "session")]
)
def test_what_a_session_is_asked_for_eagerly(asking: Callable[[], None], role: str) -> None:
    with pytest.raises((RuntimeError, TypeError, ValueError)) as raised:
        asking()
    (fact,) = graph_only_in_eager.probe(live_failure(raised.value, UserCode()))
    assert isinstance(fact, GraphOnlyInEager)
    assert fact.role == role


@pytest.mark.parametrize("kind", ["operation", "variable", "sparse tensor"])
def test_what_another_graph_holds_was_not_computed_eagerly(kind: str) -> None:
    with tf.Graph().as_default():
        asked = {
            "operation": lambda: tf.no_op(),
            "variable": lambda: tf.Variable(1.0),
            "sparse tensor": lambda: tf.sparse.from_dense([1.0, 0.0]),
        }[kind]()
    with pytest.raises((RuntimeError, TypeError, ValueError)) as raised:
        session.run(asked)
    assert list(graph_only_in_eager.probe(live_failure(raised.value, UserCode()))) == []


def test_a_graph_that_fails_as_it_runs_was_asked_for_its_own() -> None:
    def failing() -> None:
        with tf.Graph().as_default(), tf.compat.v1.Session() as own:
            number = tf.compat.v1.placeholder(tf.float32, [])
            own.run(tf.debugging.check_numerics(tf.math.log(number), "a number"), {number: -1.0})

    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        failing()
    assert not list(graph_only_in_eager.probe(live_failure(raised.value, UserCode())))
