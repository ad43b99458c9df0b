"""A refusal tells both sides of the condition that a library read, and blames nothing that merely equals one."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import refusals as of_keras  # noqa: E402
from tensorwhy.adapters.refusal import finding  # noqa: E402
from tensorwhy.adapters.tensorflow.refusals import VOCABULARY  # noqa: E402
from tensorwhy.model.facts.refusal import RefusedObject  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def refused(fails: Any) -> RefusedObject | None:
    """The fact of a refusal."""
    try:
        fails()
    except Exception as error:
        return finding.find(live_failure(error, UserCode()), (VOCABULARY, of_keras.VOCABULARY))
    raise AssertionError("it did not fail")


def values(fact: RefusedObject | None) -> list[str]:
    assert fact is not None
    return [each.value for each in fact.check.sides]


def test_both_shapes_are_told() -> None:
    narrow, wide = tf.Variable(tf.zeros((3,))), tf.ones((2,))
    fact = refused(lambda: narrow.assign(wide))
    assert values(fact) == ["(3,)", "(2,)"]
    assert fact is not None and fact.thing.text == "wide"


def test_a_type_is_told_with_what_is_taken() -> None:
    fact = refused(lambda: tf.RaggedTensor.from_row_splits([1], [0, 1], validate="yes"))
    assert values(fact) == ["str", "bool"]


def test_a_called_function_is_told_with_its_arguments() -> None:
    def halve(reading: Any) -> Any:
        return reading / 2

    pairs = tf.data.Dataset.from_tensor_slices((np.ones((4, 2)), np.ones(4)))
    fact = refused(lambda: pairs.map(halve))
    assert fact is not None and (fact.how, fact.thing.text, len(fact.check.sides)) == ("arguments", "halve", 2)


@pytest.mark.skipif(
    tf.__version__.startswith(("2.8.", "2.12.")), reason="older kernels tell their words in another way"
)
def test_a_kernel_tells_its_words_in_a_graph() -> None:
    table = tf.ones((3, 2))

    @tf.function
    def look_up(rows: Any) -> Any:
        return tf.gather(table, rows)

    wanted = tf.constant([0, 3])
    fact = refused(lambda: look_up(wanted))
    assert fact is not None and "3 is not in [0, 3)" in fact.check.condition


def test_too_deep_a_recursion_is_no_refusal() -> None:
    layers = [tf.keras.layers.Dense(1)]
    for _ in range(5000):
        layers = [layers]
    assert refused(lambda: copy.deepcopy(layers)) is None


def test_what_is_handed_over_is_not_blamed_for_a_function_that_the_library_lost() -> None:
    class Recompiled(tf.keras.callbacks.Callback):
        def on_epoch_begin(self, epoch: int, logs: object = None) -> None:
            self.model.train_function = None

    x, y = np.ones((4, 2), "float32"), np.ones((4, 1), "float32")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    assert refused(lambda: model.fit(x, y, verbose=0, callbacks=[Recompiled()])) is None
