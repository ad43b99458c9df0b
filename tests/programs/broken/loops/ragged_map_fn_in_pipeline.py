"""Drop the padding of each row in an input pipeline."""

import tensorflow as tf


def without_padding(row):
    keep = tf.not_equal(row, 0)
    return tf.boolean_mask(row, keep)


def clean(batch, label):
    rows = tf.map_fn(without_padding, batch)  # why: TW502
    return rows, label


def pipeline():
    tokens = tf.constant([[4, 7, 0, 0], [3, 9, 2, 0]])
    labels = tf.constant([0, 1])
    return tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(2).map(clean)


for rows, label in pipeline():
    print(rows.shape, label.shape)
