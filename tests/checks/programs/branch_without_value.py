"""Conditions of a graph whose branches do not give the same, and such that do."""

import tensorflow as tf


@tf.function
def undefined(x):
    if tf.reduce_sum(x) > 0:  # why: TW504
        scale = 2.0
    return x * scale


def in_a_dataset(x):
    large = x > 10
    if large:  # why: TW504
        y = tf.sqrt(tf.cast(x, tf.float32))
    if x < 3:
        y = tf.zeros([])
    return y


def numbers(n):
    return tf.data.Dataset.range(n).map(in_a_dataset)


@tf.function
def one_of_three(x):
    total = tf.reduce_sum(x)
    if total > 1:
        y = x
    elif total > 0:  # why: TW504
        y = -x
    return y


@tf.function
def none(x):
    extra = None  # why: TW504
    if not tf.reduce_any(tf.math.is_nan(x)):
        extra = tf.square(x)
    if extra is not None:
        x = x + extra
    return x


@tf.function
def no_return(x):
    if tf.reduce_sum(x) > 0:  # why: TW504
        return x * 2
    tf.print("negative")


@tf.function
def from_a_loop(x):
    for i in tf.range(3):
        if x[i] > 0:
            return i  # why: TW504
    return -1


@tf.function
def first_factor(number):
    for candidate in tf.range(2, number):
        if number % candidate == 0:
            return candidate  # why: TW504
    return number


# Branches that give the same, and conditions of Python.


@tf.function
def equal_in_python(x, mode, scale=2.0):
    if mode == "sum":
        y = tf.reduce_sum(x)
    if scale * 2 != 4.0:
        y = tf.zeros([])
    if x.shape.rank - 1 == 0:
        y = x
    return y


def equal_pairs(pair):
    if pair == (1, 2):
        y = 3
    return y


def mapped_pairs(dataset):
    return dataset.map(equal_pairs, num_parallel_calls=2)


@tf.function
def returns_in_both(x):
    if tf.reduce_sum(x) > 0:
        return x * 2
    return x


@tf.function
def defined_before(x):
    y = x
    if tf.reduce_sum(x) > 0:
        y = x * 2
    z = tf.zeros_like(x)
    if tf.reduce_sum(x) > 0:
        z = x
    return y + z


@tf.function
def defined_in_both(x):
    if tf.reduce_sum(x) > 0:
        y = x * 2
    else:
        y = x
    return y


@tf.function
def of_python(x, training, scale=1.0):
    if training:
        y = x * 2
    if scale > 1:
        z = x * scale
        return z
    if x.shape[0] is None or len(x.shape) > 2:
        return x
    return x if not training else y


@tf.function
def not_read(x):
    if tf.reduce_sum(x) > 0:
        y = x * 2
        tf.print(y)
    y = x
    return y


@tf.function
def used_inside(x):
    if tf.reduce_sum(x) > 0:
        message = "positive"
        tf.print(message)
    return x


@tf.function
def found_in_python(layers, x):
    for layer in layers:
        if layer > 3:
            return layer
    return x


@tf.function(autograph=False)
def without_autograph(x, flag):
    if flag:
        y = x
    return y


def eager(x):
    if tf.reduce_sum(x) > 0:
        y = x * 2
    return y


@tf.function
def none_in_python(x, mask=None, training=False):
    extra = None
    if training:
        extra = tf.square(x)
    if mask is not None:
        extra = mask
    return x if extra is None else x + extra


@tf.function
def of_a_loop(x):
    best = x[0]
    for i in tf.range(3):
        if x[i] > best:
            best = x[i]
            found = i
            tf.print(found)
    return best


class Head(tf.Module):
    @tf.function
    def __call__(self, x):
        if self.trainable_variables:
            y = x
        if tf.executing_eagerly():
            y = x
        return y
