"""TensorFlow refuses a custom gradient: what its backward function should take and return, and does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.failures import refused_backward  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import eager_only_in_graph  # noqa: E402
from tensorwhy.model.facts import Fact  # noqa: E402
from tensorwhy.model.facts.gradient import RefusedBackward  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def whole_tracebacks() -> Iterator[None]:
    """Nothing is filtered out of tracebacks, as in a recording."""
    undo = tracebacks.keep(filtered_frames.FILTERS)
    yield
    undo()


def deaf(x, weights):
    def backward(upstream):
        return upstream * weights[0]

    return x * weights[0], backward


def lonely(x, weights):
    def backward(upstream, variables=None):
        return upstream * weights[0]

    return x * weights[0], backward


def sparing(x, weights):
    def backward(upstream, variables=None):
        return upstream * weights[0], [upstream * x]

    return x * weights[0] + weights[1], backward


def generous(x, weights):
    return x, lambda upstream: (upstream, upstream)


def failing(x, weights):
    def backward(upstream, variables=None):
        raise ValueError("too much")

    return x * weights[0], backward


def right(x, weights):
    def backward(upstream, variables=None):
        return upstream * weights[0], [upstream * x]

    return x * weights[0], backward


def facts(function: Callable[..., Any], traced: bool = False) -> list[Fact]:
    """What is seen when a tape is asked for the gradient of such a function."""
    weights = [tf.Variable(2.0, name="first"), tf.Variable(3.0, name="second")]
    bent = tf.custom_gradient(lambda x: function(x, weights))

    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = bent(x)
        return tape.gradient(y, [x, weights[0]])

    try:
        (tf.function(step, autograph=False) if traced else step)(tf.constant(1.0))
    except Exception as error:
        return list(refused_backward.refused(live_failure(error, UserCode())))
    return []


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("function", "problem", "variables"),
    [(deaf, "variables", ("first",)), (lonely, "pair", ("first",)), (sparing, "of-variables", ("first", "second"))],
)
def test_variables_that_a_function_reads(
    function: Callable[..., Any], problem: str, variables: tuple[str, ...], traced: bool
) -> None:
    (fact,) = facts(function, traced)
    assert isinstance(fact, RefusedBackward)
    assert (fact.problem, tuple(sorted(fact.variables)), fact.name) == (problem, variables, "backward")
    assert fact.declared.line == function.__code__.co_firstlineno + 1
    assert fact.returned.line == function.__code__.co_firstlineno + 2


def test_a_backward_function_that_autograph_converted() -> None:
    strength = tf.Variable(2.0, name="strength")

    @tf.function
    def step(x):
        @tf.custom_gradient
        def reverse(x):
            def backward(upstream):
                return -upstream * strength

            return x * strength, backward

        return reverse(x)

    with pytest.raises(TypeError) as raised:
        step(tf.constant(1.0))
    (fact,) = refused_backward.refused(live_failure(raised.value, UserCode()))
    assert isinstance(fact, RefusedBackward)
    begins = step.python_function.__code__.co_firstlineno + 4
    assert (fact.problem, fact.name, fact.declared.line, fact.returned.line) == (
        "variables", "backward", begins, begins + 1,
    )  # fmt: skip


def test_a_gradient_taken_apart_while_tracing_is_no_value_asked_of_a_tensor() -> None:
    weights = [tf.Variable(2.0)]

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.custom_gradient(lambda x: lonely(x, weights))(x)
        return tape.gradient(y, weights)

    with pytest.raises(TypeError) as raised:
        step(tf.constant(1.0))
    assert list(eager_only_in_graph.probe(live_failure(raised.value, UserCode()))) == []


def test_more_gradients_than_arguments() -> None:
    (fact,) = facts(generous)
    assert isinstance(fact, RefusedBackward)
    assert (fact.problem, fact.wanted, fact.got, fact.name) == ("count", 1, 2, "")


@pytest.mark.parametrize("function", [failing, right])
def test_an_error_of_its_own_and_a_function_that_is_right_are_none_of_this(function: Callable[..., Any]) -> None:
    assert facts(function) == []
