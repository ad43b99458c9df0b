"""Hooks on `apply_gradients`: what an optimizer refuses, it refuses in its own words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

ROWS = [tf.zeros([3, 3]), tf.zeros([1])]
TRIPLES = [(tf.zeros([1]), tf.zeros([1]), 1)]


def breaks_off() -> Iterator[Any]:
    yield tf.zeros([1]), tf.Variable([1.0])
    raise KeyError("no more gradients")


def refusal(given: Callable[[], Any]) -> tuple[str, str]:
    optimizer = tf.keras.optimizers.SGD(0.1)
    with pytest.raises(Exception) as refused:
        optimizer.apply_gradients(given())
    return type(refused.value).__name__, str(refused.value)


@pytest.mark.parametrize(
    "given",
    [lambda: ROWS, lambda: iter(ROWS), lambda: TRIPLES, lambda: tf.zeros([2]), lambda: None, breaks_off],
    ids=["gradients alone", "an iterator of them", "triples", "one gradient", "nothing", "a generator that raises"],
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


def as_a_function() -> tuple[str, object]:
    """What becomes of a variable; TensorFlow 2.8 refuses what the method returns."""
    optimizer, variable = tf.keras.optimizers.SGD(0.5), tf.Variable(1.0)
    try:
        tf.function(optimizer.apply_gradients)([(tf.constant(2.0), variable)])
    except TypeError as error:
        return str(error).partition(" in compilation of ")[0], inspect.signature(optimizer.apply_gradients)
    return str(variable.numpy()), inspect.signature(optimizer.apply_gradients)


def test_the_method_can_be_traced_and_inspected_as_without_the_tool(request: pytest.FixtureRequest) -> None:
    alone = as_a_function()
    session = request.getfixturevalue("session")
    with tf.GradientTape() as tape:
        variable = tf.Variable(1.0)
        loss = variable * 2.0
    tape.gradient(loss, variable)  # the hooks are put in with the first gradient
    assert as_a_function() == alone
    assert session.tapes.applied.handles


def test_a_look_at_a_refusal_that_fails_is_told_and_the_refusal_stays(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = refusal(lambda: ROWS)
    session = request.getfixturevalue("session")
    with tf.GradientTape() as tape:
        variable = tf.Variable(1.0)
        loss = variable * 2.0
    tape.gradient(loss, variable)
    monkeypatch.setattr(session.tapes.applied, "_refuse", fails)
    assert refusal(lambda: ROWS) == alone
    failure, session.recorder.failure = session.recorder.failure, None
    assert failure == "ValueError: a fault of the hook"


def fails(*args: object) -> None:
    raise ValueError("a fault of the hook")
