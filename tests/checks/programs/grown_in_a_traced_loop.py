"""Tensors that a traced loop makes longer, and such that may change."""

import tensorflow as tf


@tf.function
def from_nothing(x):
    rows = tf.zeros([0, 3])
    for i in tf.range(4):
        rows = tf.concat([rows, x * tf.cast(i, tf.float32)], axis=0)  # why: TW503
    return rows


@tf.function
def from_an_empty_constant(x):
    i = tf.constant(0)
    found = tf.constant([], dtype=tf.float32)
    while i < 3:
        found = tf.concat((found, x), -1)  # why: TW503
        i += 1
    return found


# What is declared, or keeps its shape, or is no loop of the graph.


@tf.function
def declared(x):
    rows = tf.zeros([0, 3])
    for _ in tf.range(4):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(rows, tf.TensorShape([None, 3]))])
        rows = tf.concat([rows, x], axis=0)
    return rows


@tf.function
def unrolled(x):
    rows = tf.zeros([0, 3])
    for _ in range(4):
        rows = tf.concat([rows, x], axis=0)
    return rows


@tf.function
def shifted(x):
    window = tf.zeros([4, 3])
    for _ in tf.range(4):
        window = tf.concat([window[1:], x], axis=0)
    return window


@tf.function
def cut_again(x):
    window = tf.zeros([4, 3])
    for _ in tf.range(4):
        window = tf.concat([window, x], axis=0)
        window = window[1:]
    return window


@tf.function
def anew_in_each_turn(x):
    total = tf.zeros([])
    for _ in tf.range(4):
        rows = tf.zeros([0, 3])
        rows = tf.concat([rows, x], axis=0)
        total += tf.reduce_sum(rows)
    return total


@tf.function
def of_unknown_shape(x, start):
    rows = tf.zeros(start)
    for _ in tf.range(4):
        rows = tf.concat([rows, x], axis=0)
    return rows


def eager(x):
    rows = tf.zeros([0, 3])
    for _ in tf.range(4):
        rows = tf.concat([rows, x], axis=0)
    return rows
