"""Tensors that Python takes apart or asks for their truth while it traces, and such that it does not."""

import tensorflow as tf


@tf.function
def taken_apart(x):
    height, width = tf.shape(x)  # why: TW406
    return height * width


@tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
def parts(x):
    return tf.stack([tf.square(each) for each in x])  # why: TW406


@tf.function
def in_a_comprehension(x):
    rows = [x * tf.cast(i, tf.float32) for i in tf.range(3)]  # why: TW406
    return tf.stack(rows)


@tf.function
def asserted(x):
    assert tf.reduce_all(x > 0)  # why: TW406
    return x


@tf.function(autograph=False)
def without_autograph(x):
    if tf.reduce_sum(x) > 0:  # why: TW406
        x = x * 2
    for _ in tf.range(3):  # why: TW406
        x = x + 1
    return x


# Several tensors, and what is known while tracing.


@tf.function
def several(x):
    mean, variance = tf.nn.moments(x, [0])
    first, second = tf.split(x, 2)
    one, two = tf.unstack(x)
    values, indices = tf.math.top_k(x)
    found, label = tf.py_function(lambda y: (y, y), [x], [tf.float32, tf.float32])
    for each in tf.py_function(lambda y: (y, y), [x], [tf.float32, tf.float32]):
        mean = mean + each
    return mean, variance, first, second, one, two, values, indices, found, label


@tf.function
def static(x):
    height, width = x.shape
    assert x.shape[0] == 3
    sizes = [size or 1 for size in x.shape.as_list()]
    return height, width, sizes


@tf.function
def by_autograph(x):
    if tf.reduce_sum(x) > 0:
        x = x * 2
    for _ in tf.range(3):
        x = x + 1
    return x


@tf.function(autograph=False)
def of_python(x, layers, training=False):
    if training:
        x = x * 2
    for layer in layers:
        x = layer(x)
    first, second = layers
    return [layer(x) for layer in layers], first, second


def eager(x):
    height, width = tf.shape(x)
    assert tf.reduce_all(x > 0)
    return [each for each in tf.range(height * width)]


def of_a_pair(pair):
    image, label = pair
    return [each for each in pair], image, label


def pairs(dataset):
    return dataset.map(of_a_pair, num_parallel_calls=2)
