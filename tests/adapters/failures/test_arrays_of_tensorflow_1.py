"""What a mapped function may return is read from the array that a graph of TensorFlow 1 made for the results."""

from __future__ import annotations

import tensorflow as tf

from tensorwhy.adapters.tensorflow.probes import mapped_functions


def test_the_dtype_of_an_array_is_found_from_inside_the_loops_that_it_entered() -> None:
    with tf.Graph().as_default():
        handle, _ = tf.raw_ops.TensorArrayV3(size=2, dtype=tf.int32)
        inside = tf.raw_ops.Enter(data=handle, frame_name="outer", is_constant=True)
        deeper = tf.raw_ops.Enter(data=inside, frame_name="inner", is_constant=True)

        assert mapped_functions._array_dtype(deeper) == tf.int32


def test_an_array_that_came_another_way_has_no_known_dtype() -> None:
    with tf.Graph().as_default():
        handle = tf.compat.v1.placeholder(tf.resource)

        assert mapped_functions._array_dtype(handle) is None
