# requires: tf>=2.16
"""The states come back as a list, so that the second call has another structure than the signature says."""
import tensorflow as tf


@tf.function(
    input_signature=(tf.TensorSpec([None, 2]), (tf.TensorSpec([2]), tf.TensorSpec([2])))
)
def step(x, states):
    first, second = states
    return x + first, [first + 1.0, second * 2.0]


def run(chunks):
    states = (tf.zeros(2), tf.ones(2))
    for chunk in chunks:
        out, states = step(chunk, states)  # why: TW701
    return out


print(run([tf.ones((3, 2)), tf.ones((1, 2))]))
