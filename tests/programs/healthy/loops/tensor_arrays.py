"""TensorArrays in all the ways they are meant: passed on, in branches, of pieces, read twice."""

import tensorflow as tf


def fill(array, values):
    for index in tf.range(tf.size(values)):
        array = array.write(index, values[index])
    return array


@tf.function
def doubled(values):
    array = fill(tf.TensorArray(tf.float32, size=0, dynamic_size=True), values)
    if tf.size(values) > 2:
        array = array.write(0, -1.0)
    return array.stack() * 2.0


@tf.function
def pieces(lengths):
    array = tf.TensorArray(tf.int32, size=tf.size(lengths), infer_shape=False, element_shape=[None])
    for index in tf.range(tf.size(lengths)):
        array = array.write(index, tf.range(lengths[index]))
    return array.concat()


def eager():
    array = tf.TensorArray(tf.float32, size=2, clear_after_read=False)
    array.write(0, 1.0).mark_used()
    array = array.write(1, 2.0)
    return float(array.read(0) + array.read(0) + array.read(1))


print(doubled(tf.constant([1.0, 2.0, 3.0])).numpy().tolist())
print(pieces(tf.constant([2, 0, 3])).numpy().tolist())
print(eager())
