"""What Keras refuses while a model is put together, compiled or saved, is read from the live objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.keras_common import packages  # noqa: E402
from tensorwhy.adapters.keras_common.failures import (  # noqa: E402
    layers,
    mixing,
    models,
    uses,
)
from tensorwhy.adapters.tensorflow.probes import changed_lists  # noqa: E402
from tensorwhy.model.facts.symbolic import (  # noqa: E402
    AtRuntime,
    Disconnected,
    MixedPackages,
    NotATensor,
    RawOp,
    SeparateTensors,
)
from tensorwhy.model.facts.variables import ChangedContainer  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

keras = tf.keras
GENERATION = packages.generation_of(keras.layers.Dense(1)) or 0


def read(probe: Callable[..., Any], failing: Callable[[], object], *args: int) -> Any:
    """The one fact that a probe finds in a failure."""
    try:
        failing()
    except Exception as error:
        (fact,) = probe(live_failure(error, UserCode()), *args)
        return fact
    raise AssertionError("nothing failed")


def line(function: Callable[[], object], within: int) -> int:
    return function.__code__.co_firstlineno + within


def two_layers() -> Any:
    given = keras.Input((4,))
    middle = keras.layers.Dense(3, name="middle")(given)
    return keras.Model(given, keras.layers.Dense(2, name="last")(middle))


def test_a_layer_that_was_called_is_wrong_where_it_is_used() -> None:
    def failing() -> None:
        model = two_layers()
        last = model.get_layer("middle")
        keras.layers.Dense(3)(last)

    fact = read(layers.misfits, failing, GENERATION)
    assert isinstance(fact, NotATensor)
    assert (fact.called, fact.call, fact.used.line) == (True, False, line(failing, 3))


@pytest.mark.parametrize("join", ["add", "concatenate"])
def test_functions_that_join_tensors_take_one_list(join: str) -> None:
    def failing() -> None:
        left, right = keras.Input((2,)), keras.Input((2,))
        function = getattr(keras.layers, join)
        function(left, right)

    fact = read(layers.misfits, failing, GENERATION)
    assert isinstance(fact, SeparateTensors)
    assert ([each.name for each in fact.tensors], fact.used.line) == (["left", "right"], line(failing, 3))


def test_layers_in_place_of_tensors_are_told_together() -> None:
    def failing() -> None:
        model = two_layers()
        keras.Model(model.inputs, [model.get_layer("middle"), model.get_layer("last")])

    fact = read(models.construction, failing, GENERATION)
    assert isinstance(fact, NotATensor)
    assert (fact.called, len(fact.others)) == (True, 1)


def test_an_input_that_is_listed_twice_in_place_of_another() -> None:
    def failing() -> None:
        left, right = keras.Input((2,)), keras.Input((2,))
        joined = keras.layers.Concatenate()([left, right])
        keras.Model([left, left], joined)

    fact = read(models.construction, failing, GENERATION)
    assert isinstance(fact, Disconnected)
    named = [[each.name for each in found] for found in (fact.missing, fact.given, fact.twice)]
    assert named == [["right"], ["left"], ["left"]]


def test_an_input_that_nothing_uses_is_compared_with_what_leaves_the_other_model() -> None:
    text, target = tf.keras.Input((3,)), tf.keras.Input((5,))
    codes = tf.keras.layers.Dense(4)(text)
    trained = tf.keras.Model([text, target], tf.keras.layers.Concatenate()([codes, target]))

    def failing(width: int) -> Any:
        hidden = tf.keras.Input((width,))
        tf.keras.Model([trained.inputs[1], hidden], tf.keras.layers.Concatenate()([target, codes]))

    alike = read(models.construction, lambda: failing(4), GENERATION)
    assert (alike.shared, alike.replaced.shape) == (True, (None, 4))
    assert read(models.construction, lambda: failing(5), GENERATION).replaced is None


class Two:
    def __init__(self) -> None:
        self.first, self.second = one_layer(), one_layer()


def one_layer() -> Any:
    inputs = tf.keras.Input((4,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(2)(inputs))


def test_the_model_whose_input_is_missing_is_known_by_the_attribute_that_holds_it() -> None:
    both = Two()
    with pytest.raises(ValueError) as raised:
        tf.keras.Model(both.first.inputs, both.second.outputs)
    (fact,) = models.construction(live_failure(raised.value, UserCode()), GENERATION)
    assert isinstance(fact, Disconnected)
    assert fact.owner is not None
    assert fact.owner.name == "both.second"


@pytest.mark.parametrize("deeper", [False, True])
def test_what_an_inner_model_gives_is_fed_to_layers_only_where_some_are_called_on_it(
    deeper: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, inputs = one_layer(), tf.keras.Input((4,))
    monkeypatch.setattr(models.creations, "live", lambda kinds: [inner])
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inner(inputs)))
    taken = tf.keras.layers.Dense(1)(inner.output) if deeper else inner.output
    with pytest.raises(ValueError) as raised:
        tf.keras.Model(model.inputs, [taken, model.output])
    (fact,) = models.construction(live_failure(raised.value, UserCode()), GENERATION)
    assert isinstance(fact, Disconnected)
    assert (fact.fed is not None) == deeper


def test_none_from_a_function_without_a_return() -> None:
    def block(x: Any) -> None:
        keras.layers.Dense(2)(x)

    def failing() -> None:
        x = keras.Input((2,))
        for _ in range(2):
            x = block(x)
            keras.layers.Dense(2)(x)

    fact = read(layers.misfits, failing, GENERATION)
    assert (fact.given.sort, fact.forgot, fact.given.made.line) == ("None", "block", line(failing, 3))


@pytest.mark.skipif(GENERATION < 3, reason="Keras 2 has the backend itself")
def test_the_old_backend_takes_no_symbolic_tensor() -> None:
    def failing() -> None:
        parts = [keras.Input((2,)), keras.Input((2,))]
        keras.backend.concatenate(parts)

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.kind, fact.tensor.name, fact.equivalents) == ("backend", "parts[0]", ("keras.ops.concatenate",))


@pytest.mark.skipif(GENERATION < 3, reason="Keras 2 has the backend itself")
def test_the_old_backend_takes_the_dtype_for_one_of_tensorflow() -> None:
    x = keras.Input((3,))

    def failing() -> None:
        keras.backend.mean(x)

    fact = read(uses.uses, failing, GENERATION)
    assert (fact.kind, fact.tensor.name, fact.equivalents) == ("backend", "x", ("keras.ops.mean",))


def test_a_dictionary_with_numbers_for_keys_cannot_be_saved(tmp_path: Path) -> None:
    holder = tf.Module()
    holder.heads = {0: tf.Variable(1.0)}

    def failing() -> None:
        tf.train.Checkpoint(module=holder).write(str(tmp_path / "step"))

    fact = read(changed_lists.probe, failing)
    assert isinstance(fact, ChangedContainer)
    assert (fact.what, fact.change, fact.owner) == ("dict", "keys", "Module")


def private_layer(compute: Callable[[Any], Any]) -> Any:
    from tensorflow.python.keras.layers import Layer

    class Computing(Layer):  # type: ignore[misc, unused-ignore]
        def call(self, x: Any) -> Any:
            return compute(x)

    return Computing()


@pytest.mark.skipif(GENERATION < 3, reason="both are copies of Keras 2")
def test_a_layer_of_the_private_keras_that_computes_itself() -> None:
    def failing() -> None:
        private_layer(lambda x: tf.reduce_sum(x, axis=1))(keras.Input((4,)))

    fact = read(mixing.meetings, failing, 3)
    assert isinstance(fact, MixedPackages)
    assert (fact.receiver.package, fact.stranger.package) == ("tensorflow.python.keras", "Keras 3")
    assert fact.used.line == line(failing, 1)
    assert fact.receiver.imported is not None
    assert fact.receiver.imported.line == private_layer.__code__.co_firstlineno + 1


@pytest.mark.skipif(GENERATION > 2, reason="the private copy takes no tensor of Keras 3")
def test_a_layer_of_the_private_keras_that_fails_for_its_own_reason() -> None:
    with pytest.raises(ValueError, match="nothing to do with Keras") as raised:
        private_layer(own_mistake)(keras.Input((4,)))
    assert not list(mixing.meetings(live_failure(raised.value, UserCode()), generation=3))


def own_mistake(x: Any) -> Any:
    raise ValueError("nothing to do with Keras")


def test_a_part_of_a_symbolic_tensor_that_is_assigned_to() -> None:
    def failing() -> None:
        hidden = keras.layers.Dense(3)(keras.Input((4,)))
        hidden[:, 0] = own_mistake  # type: ignore[index, unused-ignore]

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.kind, fact.used.line) == ("assignment", line(failing, 2))


def test_a_part_of_a_list_of_symbolic_tensors_may_be_assigned_to() -> None:
    def failing() -> None:
        parts = (keras.Input((4,)), keras.Input((4,)))
        parts[0] = parts[1]  # type: ignore[index, unused-ignore]

    assert not facts(failing)


def test_a_symbolic_tensor_of_a_sparse_input_where_a_sparse_tensor_is_needed() -> None:
    def failing() -> None:
        adjacency = keras.Input((4,), sparse=True)
        tf.sparse.sparse_dense_matmul(adjacency, tf.ones((4, 2)))

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.function, fact.tensor.name) == ("tf.sparse.sparse_dense_matmul", "adjacency")


def test_values_of_another_kind_are_no_matter_of_the_symbolic_tensor() -> None:
    def failing() -> None:
        keras.Input((4,), sparse=True)
        tf.sparse.sparse_dense_matmul(tf.ones((4, 4)), tf.ones((4, 2)))

    assert not facts(failing)


def facts(failing: Callable[[], object]) -> list[Any]:
    """What the symbolic tensor is blamed for."""
    try:
        failing()
    except (TypeError, ValueError) as error:
        return list(uses.uses(live_failure(error, UserCode()), GENERATION))
    raise AssertionError("nothing failed")


def test_a_dictionary_of_tensors_where_a_layer_needs_one() -> None:
    def failing() -> None:
        fields = {"user": keras.Input((4,)), "item": keras.Input((3,))}
        keras.layers.Dense(2)(fields)

    fact = read(layers.misfits, failing, GENERATION)
    assert isinstance(fact, NotATensor)
    assert (fact.given.sort, fact.given.name, fact.length) == ("dict", "fields", 2)
    assert fact.used.line == line(failing, 2)


@pytest.mark.skipif(GENERATION < 3, reason="Keras 2 refuses in a method of its tensors")
def test_an_array_of_a_dtype_is_refused_by_numpy_itself() -> None:
    def by_keras() -> None:
        labels = keras.Input((), dtype="int32")
        keras.utils.to_categorical(labels, 3)

    def by_user() -> None:
        labels = keras.Input((), dtype="int32")
        np.array(labels, dtype="int32")

    fact = read(uses.uses, by_keras, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.function, fact.tensor.name, fact.equivalents) == (
        "keras.utils.to_categorical",
        "labels",
        ("keras.ops.one_hot",),
    )
    fact = read(uses.uses, by_user, GENERATION)
    assert isinstance(fact, AtRuntime)
    assert (fact.tensor.name, fact.used.line) == ("labels", line(by_user, 2))


def test_a_range_as_long_as_a_symbolic_tensor_says() -> None:
    def failing() -> None:
        length = keras.Input((), dtype="int32")
        list(range(length))

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.function, fact.kind, fact.tensor.name) == ("range()", "conversion", "length")


@pytest.mark.skipif(GENERATION > 2, reason="Keras 3 has operations of its own")
def test_no_function_of_tensorflow_is_advised_in_the_place_of_itself() -> None:
    def failing() -> None:
        size = tf.shape(keras.Input((4,)))[0]
        tf.while_loop(lambda i: i < size, lambda i: (i + 1,), [tf.constant(0)])

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.function, fact.equivalents) == ("tf.while_loop", ())


def test_attention_that_was_not_told_to_give_its_scores() -> None:
    def failing() -> None:
        given = keras.Input((5, 8))
        _attended, _scores = keras.layers.MultiHeadAttention(2, 4)(given, given)

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.kind, fact.function) == ("unpacking", "MultiHeadAttention(...)(..., return_attention_scores=True)")
    assert fact.used.line == line(failing, 2)


def test_the_larger_tensor_has_a_function_of_its_own() -> None:
    def failing() -> None:
        given = keras.Input((5,))
        max(keras.layers.Dense(2)(given), keras.layers.Dense(2)(given))

    fact = read(uses.uses, failing, GENERATION)
    assert isinstance(fact, RawOp)
    assert (fact.kind, fact.function) == ("truth", "max")
    assert fact.equivalents == (("keras.ops.maximum",) if GENERATION >= 3 else ("tf.maximum",))
