"""What failed at one line and was declared at another: the declaration is found."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import packages  # noqa: E402
from tensorwhy.adapters.keras_common.failures import configured, uncalled, uses  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import array_elements, foreign_graph, leaked_tensor  # noqa: E402
from tensorwhy.model.facts.graph import ForeignGraph, LeakedTensor  # noqa: E402
from tensorwhy.model.facts.loops import ArrayElementRejected  # noqa: E402
from tensorwhy.model.facts.symbolic import AtRuntime, NeverCalled  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

keras = tf.keras
GENERATION = packages.generation_of(keras.layers.Dense(1)) or 0

counts_of = functools.partial(tf.TensorArray, tf.int32)
PARTIAL = 25


def read(probe: Callable[..., Any], failing: Callable[[], object], *args: int) -> Any:
    """The one fact that a probe finds in a failure."""
    try:
        failing()
    except Exception as error:
        (fact,) = probe(live_failure(error, UserCode()), *args)
        return fact
    raise AssertionError("nothing failed")


def line(function: Callable[..., object], within: int) -> int:
    return function.__code__.co_firstlineno + within


def room(size: int) -> Any:
    return tf.TensorArray(tf.int32, size)


def test_an_array_that_a_partial_declares() -> None:
    def failing() -> None:
        rows = counts_of(3)
        rows.write(0, 0.5)

    fact = read(array_elements.probe, failing)
    assert isinstance(fact, ArrayElementRejected) and fact.created is not None
    assert fact.created.line == PARTIAL


def test_an_array_that_a_helper_declares() -> None:
    def failing() -> None:
        rows = room(3)
        rows.write(0, 0.5)

    fact = read(array_elements.probe, failing)
    assert isinstance(fact, ArrayElementRejected) and fact.created is not None
    assert fact.created.line == line(room, 1)


def test_a_tensor_of_another_graph_in_a_mapped_function() -> None:
    with tf.Graph().as_default():
        scale = tf.reduce_max(tf.constant([1.0, 2.0]))

    def scaled(x: Any) -> Any:
        x = tf.cast(x, tf.float32)
        return x / scale

    fact = read(foreign_graph.probe, lambda: tf.data.Dataset.range(3).map(scaled))
    assert isinstance(fact, ForeignGraph)
    assert fact.used.line == line(scaled, 2)


class Gate(keras.layers.Layer):  # type: ignore[misc, name-defined]
    """Keeps what it was given, and has it in its configuration."""

    def __init__(self, levels: Any, **options: Any) -> None:
        super().__init__(**options)
        self.levels = levels

    def call(self, x: Any) -> Any:
        return x

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "levels": self.levels}


@pytest.mark.skipif(GENERATION == 3, reason="Keras 3 writes symbolic tensors into configurations")
def test_a_symbolic_tensor_in_a_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    given = keras.Input((4,))
    level = keras.layers.Dense(1, name="level")(given)
    gate = Gate({"low": level, "high": 1.0})
    model = keras.Model(given, gate(given))
    monkeypatch.setattr(configured.creations, "live", lambda kinds: [*model.layers])

    fact = read(uses.uses, lambda: model.to_json(), GENERATION)
    assert isinstance(fact, AtRuntime)
    assert (fact.configured, fact.tensor.layer) == ("Gate", "level")


@pytest.mark.skipif(GENERATION == 3, reason="Keras 3 has no `get_output_at`")
def test_a_later_call_than_there_is() -> None:
    layer = keras.layers.Dense(2)
    layer(keras.Input((4,)))

    def failing() -> None:
        layer.get_output_at(1)

    fact = read(uncalled.lookups, failing, GENERATION)
    assert isinstance(fact, NeverCalled)
    assert (fact.attribute, len(fact.calls), fact.used.line) == ("get_output_at", 1, line(failing, 1))


class Means:
    """Variables in a list, one of which a traced function replaces by a tensor."""

    def __init__(self) -> None:
        self.kept = [tf.Variable(1.0) for _ in range(2)]

    def update(self) -> None:
        self.kept[0] = self.kept[0] * 0.5


def test_an_element_that_was_a_variable() -> None:
    means = Means()
    traced = tf.function(lambda: means.update())
    traced()

    fact = read(leaked_tensor.probe, lambda: tf.identity(means.kept[0]))
    assert isinstance(fact, LeakedTensor) and fact.variable is not None
    assert fact.variable.line == line(Means.__init__, 1)
