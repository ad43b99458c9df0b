"""Functions mapped over numbers, with results of different lengths, and of one."""

import numpy as np
import tensorflow as tf

LENGTHS = tf.constant([3, 1, 2])


def ranges():
    return tf.map_fn(tf.range, tf.constant([1, 2, 3]))  # why: TW502


def of_a_name():
    return tf.map_fn(lambda n: tf.range(n), LENGTHS)  # why: TW502


def of_an_array():
    return tf.map_fn(fn=tf.range, elems=np.array([2, 2, 4]))  # why: TW502


def of_another_dtype():
    return tf.map_fn(lambda n: tf.ones([n]), LENGTHS, fn_output_signature=tf.RaggedTensorSpec([None]))


def declared():
    return tf.map_fn(tf.range, LENGTHS, fn_output_signature=tf.RaggedTensorSpec([None], tf.int32))


def of_one_length():
    return tf.map_fn(tf.range, tf.constant([2, 2]))


def of_unknown_lengths(lengths):
    return tf.map_fn(tf.range, lengths)


def of_another_size(n):
    return tf.map_fn(lambda _: tf.range(n), LENGTHS), tf.map_fn(lambda n: n * 2, LENGTHS)


def padded():
    return tf.map_fn(lambda n: tf.pad(tf.range(n), [[0, 3 - n]]), LENGTHS)
