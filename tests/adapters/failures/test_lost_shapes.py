"""Where a static shape was lost that a failure needed: read from live graphs, datasets and Keras tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf: Any = pytest.importorskip("tensorflow")

from tensorwhy.adapters import autograph  # noqa: E402
from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import lost_shapes  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def whole_tracebacks() -> Iterator[None]:
    """Nothing is filtered out of tracebacks, as in a recording."""
    undo = tracebacks.keep(filtered_frames.FILTERS)
    yield
    undo()


def lost(function: Callable[[], object]) -> list[Any]:
    try:
        function()
    except Exception as error:
        return list(lost_shapes.probe(live_failure(error, UserCode())))
    raise AssertionError("it did not fail")


def python(x: Any) -> Any:
    return tf.numpy_function(lambda value: value, [x], tf.float32)


def mapped(function: Callable[[Any], Any]) -> Callable[[], object]:
    return lambda: tf.data.Dataset.from_tensor_slices(tf.ones([4, 3])).map(function)


def test_the_function_that_runs_python_is_named_and_not_the_one_that_needs_the_shape() -> None:
    def scaled(x: Any) -> Any:
        twice = python(x) * 2.0
        return tf.stack([len(twice.shape)])

    [fact] = lost(mapped(scaled))
    assert (fact.means, fact.call, fact.last) == ("python", "tf.numpy_function", False)
    assert fact.made.line < fact.needed.line


def test_a_decoder_that_may_give_four_axes_is_told_from_other_operations() -> None:
    def resized(data: Any) -> Any:
        return tf.image.resize(tf.io.decode_image(tf.strings.as_string(data[0])), [2, 2])

    [fact] = lost(mapped(resized))
    assert (fact.means, fact.call) == ("decoded", "tf.io.decode_image")


def test_a_reshape_that_leaves_the_last_axis_open_is_named_with_its_shapes() -> None:
    dense = tf.keras.layers.Dense(2)

    def kept(x: Any) -> Any:
        flat = tf.reshape(tf.ones([4, 3])[: tf.cast(x[0], tf.int32)], [1, -1])
        return dense(flat + 1.0)

    [fact] = lost(mapped(kept))
    assert (fact.means, fact.call, fact.last) == ("operation", "tf.reshape", True)
    assert (fact.given, fact.got, fact.results) == ((None, 3), (1, None), ("flat",))


def test_a_generator_is_found_through_what_is_done_with_its_elements() -> None:
    def rows() -> Iterator[float]:
        yield 1.0

    dataset = tf.data.Dataset.from_generator(rows, tf.float32).shuffle(2).batch(2)
    dense = tf.keras.layers.Dense(2)
    [fact] = lost(lambda: dataset.map(lambda x: x + 1.0).map(dense))
    assert (fact.means, fact.call) == ("generator", "tf.data.Dataset.from_generator")


def test_another_failure_beside_a_tensor_without_a_shape_says_nothing_of_shapes() -> None:
    def multiplied(x: Any) -> Any:
        return tf.matmul(tf.cast(python(x), tf.int32), tf.ones([3, 3]))

    assert lost(mapped(multiplied)) == []


def test_a_check_of_the_users_own_is_not_explained() -> None:
    def checked(x: Any) -> Any:
        y = python(x)
        if y.shape.rank is None:
            raise ValueError("no rank")
        return y

    assert lost(mapped(checked)) == []


DENSE = tf.keras.layers.Dense(2)


@tf.function(input_signature=[tf.TensorSpec([2, 3]), tf.TensorSpec(None)])
def served(known: Any, images: Any) -> Any:
    return tf.reduce_sum(known) + DENSE(images)


@tf.function(input_signature=[tf.TensorSpec(None)])
def wrong(images: Any) -> Any:
    return undefined + images  # type: ignore[name-defined]  # noqa: F821


def test_a_signature_that_declares_no_axes_is_named() -> None:
    [fact] = lost(lambda: served(tf.ones([2, 3]), tf.ones([2, 3])))
    assert (fact.means, fact.call, fact.last) == ("declared", "tf.function", False)
    assert fact.made.line == autograph.unwrapped(served).__code__.co_firstlineno


def test_another_failure_of_a_function_with_such_a_signature_is_its_own() -> None:
    with pytest.raises(NameError) as failure:
        wrong(tf.ones([2, 3]))
    assert not list(lost_shapes.probe(live_failure(failure.value, UserCode())))


@pytest.mark.parametrize(
    ("other", "last", "shapes"),
    [
        (lambda x: tf.reduce_mean(x, axis=1), False, ((2, 4), (2, 3, 4))),
        (lambda x: tf.concat([x, x], axis=-1), True, ((2, 3, 8), (2, 3, 4))),
    ],
)
def test_branches_of_different_shapes_are_told_with_both(other: Any, last: bool, shapes: Any) -> None:
    @tf.function(autograph=False)
    def gated(x: Any, flag: Any) -> Any:
        chosen = tf.cond(flag, lambda: other(x), lambda: x)
        return tf.keras.layers.Dense(2)(chosen)

    [fact] = lost(lambda: gated(tf.ones([2, 3, 4]), tf.constant(True)))
    assert (fact.means, fact.call, fact.last, fact.branches) == ("branches", "tf.cond", last, shapes)
