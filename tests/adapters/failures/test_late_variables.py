"""A traced function that makes a variable on a later call: what makes it, and whether that was made there, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import late_variable  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def read(failing: Callable[[], object]) -> Any:
    with pytest.raises(ValueError) as raised:
        failing()
    (fact,) = late_variable.probe(live_failure(raised.value, UserCode()))
    return fact


def test_an_optimizer_that_the_traced_function_makes_is_no_kept_one() -> None:
    weights = tf.Variable([1.0, 2.0])

    @tf.function
    def step() -> None:
        optimizer = tf.keras.optimizers.Adam(0.5)
        optimizer.apply_gradients([(tf.ones_like(weights), weights)])

    fact = read(step)
    assert (fact.layer is not None, fact.optimizer, fact.state) == (True, True, "")


def test_an_optimizer_that_is_kept_can_make_its_variables_before() -> None:
    weights = tf.Variable([1.0, 2.0])
    optimizers = [tf.keras.optimizers.Adam(0.5), tf.keras.optimizers.Adam(0.1)]

    @tf.function
    def step(index: int) -> None:
        optimizers[index].apply_gradients([(tf.ones_like(weights), weights)])

    step(0)
    fact = read(lambda: step(1))
    assert fact.layer is None
    assert fact.state
