"""A tensor of a graph where a static shape needs a number."""

from __future__ import annotations

from typing import Any

import pytest

tf: Any = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import eager_only_in_graph  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def test_the_tensor_and_what_was_to_be_given_its_shape_are_named() -> None:
    def kept(x: Any) -> Any:
        size = tf.shape(x)[0]
        x.set_shape(tf.TensorShape([size, 1]))
        return x

    with pytest.raises(TypeError) as failure:
        tf.data.Dataset.from_tensors(tf.ones([2, 1])).map(kept)
    [fact] = eager_only_in_graph.probe(live_failure(failure.value, UserCode()))
    assert (fact.operation, fact.name, fact.tensor_text) == ("dimension", "tf.TensorShape", "size")
