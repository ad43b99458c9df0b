"""Lists that loops of a graph fill, and lists that Python's own loops fill."""

import tensorflow as tf


@tf.function
def stacked(x):
    outputs = []
    for i in tf.range(3):
        outputs.append(x * tf.cast(i, tf.float32))  # why: TW505
    return tf.stack(outputs)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def returned(values):
    doubled = []
    for value in values:
        twice = value * 2.0
        doubled.append(twice)  # why: TW505
    return doubled


@tf.function
def elements(n):
    found = list()
    for element in tf.data.Dataset.range(n).batch(2):
        found.append(element + 1)  # why: TW505
    total = tf.add_n(found)
    return total


@tf.function
def in_while(x):
    i = tf.constant(0)
    states = [x]
    while i < 10:
        x = tf.tanh(x)
        states.append(x)  # why: TW505
        i += 1
    return tf.concat(states, axis=0), i


# Loops of Python, and what a list may hold.


@tf.function
def unrolled(x):
    outputs = []
    for i in range(3):
        outputs.append(x * float(i))
    return tf.stack(outputs)


@tf.function
def over_a_parameter(cells, x):
    outputs = []
    for cell in cells:
        outputs.append(tf.tanh(cell * x))
    return tf.stack(outputs)


@tf.function
def over_parts(x):
    outputs = []
    for part in tf.unstack(x):
        outputs.append(tf.tanh(part))
    for part in tf.split(x, 3):
        outputs.append(tf.tanh(part))
    for part in tf.nn.moments(x, [0]):
        outputs.append(tf.tanh(part))
    return tf.stack(outputs)


@tf.function
def inside_of_the_loop(x):
    total = tf.zeros([])
    for i in tf.range(3):
        parts = []
        parts.append(x * tf.cast(i, tf.float32))
        total += tf.reduce_sum(tf.stack(parts))
    return total


@tf.function
def not_used(x):
    seen = []
    for i in tf.range(3):
        seen.append(x * tf.cast(i, tf.float32))
    return x


@tf.function
def made_outside(x):
    seen = []
    for _ in tf.range(3):
        seen.append(x)
    return tf.stack(seen)


@tf.function(autograph=False)
def without_autograph(x):
    outputs = []
    for i in tf.range(3):
        outputs.append(x * tf.cast(i, tf.float32))
    return tf.stack(outputs)


def eager(x):
    outputs = []
    for i in tf.range(3):
        outputs.append(x * tf.cast(i, tf.float32))
    return tf.stack(outputs)


@tf.function
def in_an_array(x):
    outputs = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        outputs = outputs.write(i, x * tf.cast(i, tf.float32))
    return outputs.stack()


@tf.function
def emptied(x):
    outputs = []
    for i in tf.range(3):
        outputs.append(x * tf.cast(i, tf.float32))
        outputs.pop()
    return outputs


def pairs(dataset):
    def doubled(*pair):
        found = []
        for each in pair:
            found.append(each * 2)
        return tf.stack(found)

    def doubled_pair(pair):
        found = []
        for each in pair:
            found.append(each * 2)
        return tf.stack(found)

    return dataset.map(doubled, num_parallel_calls=2).map(doubled_pair, num_parallel_calls=2)
