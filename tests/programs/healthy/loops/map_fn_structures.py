"""Tuples, dicts and other dtypes, all declared; nested maps; a gradient through one."""

import tensorflow as tf


def moments(row):
    return {"mean": tf.reduce_mean(row), "size": tf.size(row)}


@tf.function
def summary(rows):
    signature = {"mean": tf.float32, "size": tf.int32}
    return tf.map_fn(moments, rows, fn_output_signature=signature)


rows = tf.Variable([[1.0, 3.0], [5.0, 7.0]])
print({key: value.numpy().tolist() for key, value in summary(rows).items()})
pairs = tf.map_fn(
    lambda pair: pair[0] @ pair[1], (tf.ones([3, 2, 2]), tf.ones([3, 2, 2])), fn_output_signature=tf.float32
)
print(pairs.shape)
with tf.GradientTape() as tape:
    total = tf.reduce_sum(tf.map_fn(lambda row: tf.reduce_sum(row**2), rows))
print(tape.gradient(total, rows).numpy().tolist())
print(tf.vectorized_map(lambda row: row / tf.reduce_sum(row), rows).shape)
