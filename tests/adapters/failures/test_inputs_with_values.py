"""`Input(tensor=...)` of something that has values is read from the live objects."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import packages  # noqa: E402
from tensorwhy.adapters.keras_common.failures import wrapped_inputs  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

GENERATION = packages.generation_of(tf.keras.layers.Dense(1)) or 0


def refused(value: Any) -> Any:
    """The fact of a refusal; None where this Keras takes it."""
    try:
        tf.keras.Input(tensor=value)
    except (ValueError, TypeError, AttributeError) as error:
        return next(iter(wrapped_inputs.with_values(live_failure(error, UserCode()), GENERATION)), None)
    return None


# Keras 2 takes tensors and variables, and makes placeholders of them.
@pytest.mark.parametrize("kind", ["eager tensor", "variable", "array"] if GENERATION > 2 else ["array"])
def test_what_has_values_is_no_input(kind: str) -> None:
    value = tf.ones([2, 3])
    values = {"eager tensor": value, "variable": tf.Variable(value), "array": value.numpy()}
    fact = refused(values[kind])
    assert (fact.given.sort, fact.needed_by) == (kind, "tf.keras.Input")
    assert fact.used.line == refused.__code__.co_firstlineno + 3
