"""What is proposed for results of a mapped function that differ in their sizes works."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.failures import signatures  # noqa: E402

SIZES = {
    "the first": [(3, 2), (4, 2), (1, 2)],
    "the second": [(3, 2), (3, 4), (3, 1)],
    "the first two": [(3, 2), (4, 5), (1, 1)],
    "the first of three": [(3, 2, 5), (4, 2, 5), (1, 2, 5)],
    "the first two of three": [(3, 2, 5), (4, 1, 5), (1, 3, 5)],
    "the last of three": [(3, 2, 5), (3, 2, 4), (3, 2, 1)],
}


@pytest.mark.parametrize("which", SIZES)
def test_the_conversion_makes_ragged_tensors_of_all_results(which: str) -> None:
    shapes = SIZES[which]
    conversion, converted = signatures.ragged_conversion((shapes[0], shapes[1]), "float32")

    def element(number: Any) -> Any:
        return eval(conversion, {"tf": tf, "result": tf.ones(tf.constant(shapes)[number])})

    made = tf.map_fn(element, tf.range(len(shapes)), fn_output_signature=eval(converted))
    assert [tuple(row.bounding_shape() if hasattr(row, "bounding_shape") else row.shape) for row in made] == shapes


@pytest.mark.parametrize("shapes", [((3,), (4,)), ((3, 2), (4,)), ((), ())])
def test_rows_and_results_of_several_ranks_have_no_conversion(shapes: Any) -> None:
    assert signatures.ragged_conversion(shapes, "float32") == ("", "")
