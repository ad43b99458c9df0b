"""Every right way to map to rows of different length."""

import tensorflow as tf

ragged = tf.RaggedTensorSpec(shape=[None], dtype=tf.int32)


@tf.function
def ranges(lengths):
    return tf.map_fn(tf.range, lengths, fn_output_signature=ragged)


def positive(rows):
    keep = tf.RaggedTensorSpec(shape=[None], dtype=tf.float32)
    return tf.map_fn(lambda row: tf.boolean_mask(row, row > 0), rows, fn_output_signature=keep)


print(ranges(tf.constant([2, 0, 3])).to_list())
print(positive(tf.constant([[1.0, -1.0], [2.0, 3.0]])).to_list())
print(tf.map_fn(tf.reduce_sum, tf.ragged.constant([[1.0], [2.0, 3.0]]), fn_output_signature=tf.float32).numpy())
print(tf.map_fn(lambda row: row * 2, tf.ragged.constant([[1, 2], [3]])).to_list())
