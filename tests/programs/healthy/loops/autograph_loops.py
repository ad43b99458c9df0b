"""Loops and branches over tensors that keep dtype, shape and structure."""

import tensorflow as tf


@tf.function
def collatz(number):
    steps = 0
    while number != 1:
        if number % 2 == 0:
            number = number // 2
        else:
            number = 3 * number + 1
        steps += 1
    return steps


@tf.function
def longest_path(start, steps):
    path = start[tf.newaxis]
    for _ in tf.range(steps):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(path, tf.TensorShape([None, 2]))])
        path = tf.concat([path, path[-1:] * 2.0], axis=0)
    return path


@tf.function
def mean(dataset):
    total, count = 0.0, 0
    for value in dataset:
        if value < 0.0:
            continue
        total += value
        count += 1
        if count > 100:
            break
    return total / tf.cast(count, tf.float32)


@tf.function
def last(steps):
    for step in tf.range(steps):
        value = tf.cast(step, tf.float32)
    return value


print(int(collatz(tf.constant(27))))
print(longest_path(tf.constant([1.0, 2.0]), tf.constant(3)).numpy().tolist())
print(float(mean(tf.data.Dataset.from_tensor_slices([1.0, -5.0, 3.0]))))
print(float(last(tf.constant(3))))
