"""States of a decay are averaged as they come out of a traced function."""

import tensorflow as tf


@tf.function
def collect(x, steps):
    kept = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
        x = x * 0.5
        kept = kept.write(i, x)
    return kept  # why: TW508


states = collect(tf.ones([3]), tf.constant(4))
print(tf.reduce_mean(states))
