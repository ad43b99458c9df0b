"""A function that was traced before the recording began is known from its first recorded call on."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def recorded(either_hot_path):
    """Records what is called in it, and gives the facts of what it found."""

    def facts(ask):
        session = TensorFlowSession(UserCode(), "full")
        session.start()
        try:
            ask()
            return [fact for group in session.facts() for fact in group.facts]
        finally:
            session.close()
            assert session.recorder.failure is None

    return facts


def _asks(function, source, *given):
    """Calls a function once, so that it is traced, and gives what asks for its gradient."""

    def ask() -> None:
        with tf.GradientTape() as tape:
            result = function(*given)
        assert tape.gradient(result, source) is None

    ask()
    return ask


def test_a_break_inside_is_found_at_its_line(recorded) -> None:
    kernel = tf.Variable(2.0)

    @tf.function
    def step(x):
        hidden = x * kernel
        return tf.round(hidden) + x

    [found] = recorded(_asks(step, kernel, tf.constant(1.0)))
    assert (found.kind, found.location.line) == ("no-gradient", _line("return tf.round(hidden)"))


def test_a_break_in_a_function_that_it_calls_is_found(recorded) -> None:
    kernel = tf.Variable(2.0)

    @tf.function
    def inner(x):
        return tf.stop_gradient(x * kernel)

    @tf.function
    def outer(x):
        return inner(x) * 2.0

    [found] = recorded(_asks(outer, kernel, tf.constant(1.0)))
    assert (found.kind, found.location.line) == ("stop-gradient", _line("return tf.stop_gradient(x * kernel)"))


def test_a_break_in_a_function_that_only_a_newer_one_calls_is_found(recorded) -> None:
    kernel = tf.Variable(2.0)

    @tf.function
    def older(x):
        return tf.stop_gradient(kernel * x)

    older(tf.constant(1.0))

    @tf.function
    def newer(x):
        return older(x) * 2.0

    def ask() -> None:
        with tf.GradientTape() as tape:
            result = newer(tf.constant(1.0))
        assert tape.gradient(result, kernel) is None

    [found] = recorded(ask)
    assert (found.kind, found.location.line) == ("stop-gradient", _line("return tf.stop_gradient(kernel * x)"))


def test_a_loop_in_it_is_known(recorded) -> None:
    kernel = tf.Variable(2.0)

    @tf.function
    def repeated(x):
        for _ in tf.range(3):
            x = x * kernel
        return tf.stop_gradient(x)

    [found] = recorded(_asks(repeated, kernel, tf.constant(1.0)))
    assert found.location.line == _line("return tf.stop_gradient(x)\n")


def test_a_function_that_is_only_known_by_name_is_not_blamed(recorded) -> None:
    kernel = tf.Variable(2.0)

    @tf.function
    def inner(x):
        return x * kernel

    inner(tf.constant(1.0))

    def ask() -> None:
        outer = tf.function(lambda x: tf.stop_gradient(inner(x)))
        with tf.GradientTape() as tape:
            result = outer(tf.constant(1.0))
        assert tape.gradient(result, kernel) is None

    assert [found.kind for found in recorded(ask)] == ["stop-gradient"]


def _line(text: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, start=1) if line.strip().startswith(text.strip()))
