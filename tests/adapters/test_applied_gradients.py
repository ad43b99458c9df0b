"""Hooks on `apply_gradients`: what an optimizer refuses, it refuses in its own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

ROWS = [tf.zeros([3, 3]), tf.zeros([1])]
TRIPLES = [(tf.zeros([1]), tf.zeros([1]), 1)]


def refusal(given: Callable[[], Any]) -> tuple[str, str]:
    optimizer = tf.keras.optimizers.SGD(0.1)
    with pytest.raises(Exception) as refused:
        optimizer.apply_gradients(given())
    return type(refused.value).__name__, str(refused.value)


@pytest.mark.parametrize(
    "given",
    [lambda: ROWS, lambda: iter(ROWS), lambda: TRIPLES, lambda: tf.zeros([2]), lambda: None],
    ids=["gradients alone", "an iterator of them", "triples", "one gradient", "nothing"],
)
def test_what_holds_no_pairs_is_refused_as_without_the_tool_and_recording_goes_on(
    given: Callable[[], Any], request: pytest.FixtureRequest
) -> None:
    alone = refusal(given)
    session = request.getfixturevalue("session")
    with tf.GradientTape() as tape:
        variable = tf.Variable(1.0)
        loss = variable * 2.0
    tape.gradient(loss, variable)  # the hooks are put in with the first gradient
    assert refusal(given) == alone
    assert session.recorder.failure is None
