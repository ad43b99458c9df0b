"""A dataset stacks elements of different shapes: what left the size open is named, with the two shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

tf: Any = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import unequal_batches  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def explained(dataset: Any) -> list[Any]:
    with pytest.raises(tf.errors.InvalidArgumentError) as failure:
        for _ in dataset:
            pass
    return list(unequal_batches.probe(live_failure(failure.value, UserCode())))


def test_the_operation_that_gives_elements_of_different_sizes_is_named() -> None:
    def repeated(n: Any) -> Any:
        return tf.fill([n], 1.0) * 2.0, n

    [fact] = explained(tf.data.Dataset.range(2, 4).map(repeated).shuffle(1).batch(2))
    assert (fact.construct, fact.shapes) == ("batch", ((2,), (3,)))
    assert fact.call.column is not None and fact.operation == "operation"


def test_a_branch_that_changes_only_some_elements_is_named_and_not_where_they_come_from() -> None:
    def rows() -> Iterator[list[float]]:
        yield from ([1.0], [1.0, 2.0, 3.0])

    def cut(x: Any) -> Any:
        return tf.cond(tf.size(x) > 2, lambda: x[:2], lambda: x)

    source = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([None], tf.float32))
    [fact] = explained(source.map(cut).batch(2))
    assert fact.operation == "operation"
    [fact] = explained(source.batch(2))
    assert fact.operation == "generator"


def test_another_refusal_in_a_pipeline_says_nothing_of_batches() -> None:
    def checked(x: Any) -> Any:
        with tf.control_dependencies([tf.debugging.assert_less(x, tf.constant(1, tf.int64))]):
            return tf.fill([x], 1.0)

    assert explained(tf.data.Dataset.range(3).map(checked).batch(2)) == []
