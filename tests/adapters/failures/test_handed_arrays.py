"""A tensor array that a function of the user was given where it computes with a tensor."""

from __future__ import annotations

from typing import Any

import pytest

tf: Any = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import array_boundaries  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def centred(values: Any) -> Any:
    return values - tf.reduce_mean(values)


def extended(values: Any) -> Any:
    values.write(1, 2.0)
    return tf.reduce_sum(values)


def given_to_centred() -> Any:
    array = tf.TensorArray(tf.float32, size=1).write(0, 1.0)
    return centred(array)


def given_to_extended() -> Any:
    array = tf.TensorArray(tf.float32, size=2).write(0, 1.0)
    return extended(array)


def outside(function: Any) -> Any:
    with pytest.raises((TypeError, ValueError, AttributeError)) as failure:
        tf.function(function)()
    [fact] = array_boundaries.probe(live_failure(failure.value, UserCode()))
    return fact


def test_the_call_that_hands_over_the_array_is_where_to_stack_it() -> None:
    fact = outside(given_to_centred)
    assert (fact.problem, fact.array) == ("as-tensor", "array")
    assert fact.origin.line == given_to_centred.__code__.co_firstlineno + 2


def test_a_function_that_uses_its_parameter_as_an_array_is_named_itself() -> None:
    assert outside(given_to_extended).origin is None
