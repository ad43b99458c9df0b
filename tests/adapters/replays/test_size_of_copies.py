"""A copy of a step is no larger than the step: its gradient computes no shapes that are known."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tensorwhy.adapters.tensorflow.replays import graph_steps
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay
from tensorwhy.adapters.tensorflow.replays.undo import Undo


# Those of 2.8 and 2.12 compute the shapes that a gradient is broadcast to whether they are known or not.
@pytest.mark.skipif(
    tf.__version__.startswith(("2.8.", "2.12.")), reason="its gradient functions compute shapes that are known"
)
def test_the_gradient_of_a_copy_computes_no_shapes() -> None:
    w = tf.Variable([1.5, 2.0])

    @tf.function
    def step(x):
        value = x * w
        for _ in range(20):
            value = value + 0.1 * tf.sin(value) * x
        return tf.reduce_sum(value)

    traced = step.get_concrete_function(tf.TensorSpec([None, 2]))
    kept = graph_steps.step_of((traced.outputs[0].op.inputs[0],))
    assert isinstance(kept, graph_steps.GraphStep)
    (handle,) = kept.reads
    replay = GraphReplay(kept, handle)

    graph, _, gradient = replay.built(Undo(watch=True))

    assert gradient is not None
    assert {op.type for op in graph.get_operations()}.isdisjoint({"Shape", "BroadcastGradientArgs"})
    assert len(graph.get_operations()) < 10 * len(kept.nodes)
