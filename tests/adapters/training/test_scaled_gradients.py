"""Gradients that were clipped or scaled on their way to the optimizer are still those of their variables."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups as audit  # noqa: E402


def train(session: Any, change: Any, order: tuple[int, ...], traced: bool) -> set[str]:
    """The problems that are found when the changed gradients are given to the variables in this order."""
    variables = [tf.Variable([0.1 * (i + 1), 0.2], name=f"v{i}") for i in range(3)]
    optimizer = tf.keras.optimizers.SGD(0.1)

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.add_n([tf.reduce_sum(tf.square(v - i)) for i, v in enumerate(variables)])
        gradients = change(tape.gradient(loss, variables))
        optimizer.apply_gradients(zip(gradients, [variables[i] for i in order]))

    step = tf.function(step) if traced else step
    for _ in range(4):
        step()
    return {fact.problem for group in audit(session) for fact in group.facts}


def by_global_norm(gradients: list[Any]) -> list[Any]:
    return tf.clip_by_global_norm(gradients, 1.0)[0]


def by_value(gradients: list[Any]) -> list[Any]:
    return [tf.clip_by_value(g, -0.5, 0.5) for g in gradients]


def by_a_factor(gradients: list[Any]) -> list[Any]:
    return [g / 2.0 for g in gradients]


def each_with_the_next(gradients: list[Any]) -> list[Any]:
    return [0.5 * (g + h) for g, h in zip(gradients, gradients[1:] + gradients[:1])]


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("change", [by_global_norm, by_value, by_a_factor])
def test_a_scaled_gradient_of_another_variable(session, change, traced) -> None:
    assert train(session, change, (1, 2, 0), traced) == {"crossed"}


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("change", [by_global_norm, by_value, by_a_factor, each_with_the_next])
def test_scaled_gradients_of_the_variables_themselves(session, change, traced) -> None:
    assert not train(session, change, (0, 1, 2), traced)


def test_what_is_made_of_several_gradients_belongs_to_none(session) -> None:
    assert not train(session, each_with_the_next, (1, 2, 0), False)
