"""Step functions in the body of a traced loop, which hands zeros back to what is used before them."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.audits.zero_gradients import audit  # noqa: E402


def spike(potential: Any) -> Any:
    return tf.cast(potential > 0.3, tf.float32)


def whole(potential: Any) -> Any:
    return tf.floor(potential)


def stopped(potential: Any) -> Any:
    return tf.stop_gradient(potential)


def passed_on(potential: Any) -> Any:
    return tf.cast(potential > 0.3, tf.float32) + 0.1 * tf.sigmoid(potential)


def train(session: Any, fires: Any, later: bool = False) -> list[tuple[str, str, set[str]]]:
    inner, outer = tf.Variable([[0.5, -0.3], [0.2, 0.7]], name="inner"), tf.Variable([[0.5], [0.3]], name="outer")
    optimizer = tf.keras.optimizers.SGD(0.01)

    def body(i: Any, state: Any, total: Any) -> Any:
        new = 0.8 * state + tf.matmul(tf.ones((4, 2)), inner)
        fired = fires(state if later else new)
        return i + 1, new * (1.0 - fired), total + fired

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            start = (0, tf.zeros((4, 2)), tf.zeros((4, 2)))
            total = tf.while_loop(lambda i, state, total: i < 4, body, start)[2]
            loss = tf.reduce_mean(tf.square(tf.matmul(total, outer) - 1.0))
        optimizer.apply_gradients(zip(tape.gradient(loss, [inner, outer]), [inner, outer]))

    for _ in range(6):
        step()
    return [
        (fact.why, fact.operation.name, {s.name for s in fact.sources})
        for group in audit(session)
        for fact in group.facts
        if hasattr(fact, "sources")
    ]


@pytest.mark.parametrize(("fires", "op"), [(spike, "Greater"), (whole, "Floor")])
def test_the_step_function_is_named(session, fires: Any, op: str) -> None:
    assert train(session, fires) == [("flat", op, {"inner:0"})]


def test_a_loop_that_hands_a_gradient_on_is_open(session) -> None:
    assert train(session, passed_on) == []


def test_what_is_stopped_in_a_loop_is_no_step(session) -> None:
    assert train(session, stopped) == []


def test_a_way_of_two_rounds_is_not_explained_by_one(session) -> None:
    assert train(session, spike, later=True) == []
