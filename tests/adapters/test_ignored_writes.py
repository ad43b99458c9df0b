"""Which variables a value in a traced loop is made of."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.failures import failed_node, tensor_lists  # noqa: E402


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What is traced here is gone at the end: recordings of other tests look at all graphs that are alive."""
    yield
    gc.collect()


def test_a_value_that_is_written_in_a_loop_is_followed_to_the_variables_outside_of_it() -> None:
    used, passed, unused = tf.Variable(2.0), tf.Variable(3.0), tf.Variable(1.0)

    @tf.function
    def roll(start: Any) -> Any:
        states, value = tf.TensorArray(tf.float32, size=3), start * passed
        for step in tf.range(3):
            states.write(step, used * value)
        return states.stack() + unused

    graphs = list(failed_node.nested(roll.get_concrete_function(tf.ones([2])).graph))
    [write] = [each for graph in graphs for each in graph.get_operations() if each.type == "TensorListSetItem"]

    def is_made_of(variable: Any) -> bool:
        return tensor_lists.is_made_of(write.inputs[2], frozenset({variable.handle._id}))

    assert (is_made_of(used), is_made_of(passed), is_made_of(unused)) == (True, True, False)
