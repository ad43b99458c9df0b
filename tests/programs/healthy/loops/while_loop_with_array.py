"""The looped version of ranges of different length, eagerly and in a graph."""

import tensorflow as tf


def ranges(lengths):
    longest = tf.reduce_max(lengths)

    def body(i, rows):
        row = tf.pad(tf.range(lengths[i]), [[0, longest - lengths[i]]])
        return i + 1, rows.write(i, row)

    rows = tf.TensorArray(tf.int32, size=tf.size(lengths))
    _, rows = tf.while_loop(lambda i, rows: i < tf.size(lengths), body, [0, rows])
    return rows.stack()


lengths = tf.constant([2, 3, 1])
print(ranges(lengths).numpy().tolist())
print(tf.function(ranges)(lengths).numpy().tolist())
