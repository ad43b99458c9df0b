"""The signature that is proposed for a ragged or sparse result describes it in full."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.failures import signatures  # noqa: E402


def rows(of_rows: Any) -> Any:
    return tf.RaggedTensor.from_value_rowids(tf.constant([1, 2, 3]), tf.constant([0, 0, 1], of_rows))


@pytest.mark.parametrize(
    "value",
    [
        rows(tf.int64),
        rows(tf.int32),
        tf.RaggedTensor.from_row_splits(tf.ones([3, 2]), [0, 1, 3]),
        tf.ragged.constant([[[1.0], []], [[2.0, 3.0]]]),
        tf.sparse.from_dense([0, 2, 0]),
    ],
    ids=["plain", "rows counted in int32", "dense inner dimension", "two ragged dimensions", "sparse"],
)
def test_it_is_compatible_with_the_value(value: Any) -> None:
    declared = eval(signatures.declaration(value), {"tf": tf})
    assert declared.is_compatible_with(value)
