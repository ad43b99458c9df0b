"""Scans and folds whose accumulators keep their form."""

import tensorflow as tf


@tf.function
def returns(rewards):
    return tf.scan(lambda total, reward: reward + 0.9 * total, rewards, initializer=tf.constant(0.0), reverse=True)


def fibonacci(count):
    initial = (tf.constant(0), tf.constant(1))
    return tf.scan(lambda pair, _: (pair[1], pair[0] + pair[1]), tf.range(count), initializer=initial)[0]


print([round(float(each), 2) for each in returns(tf.constant([0.0, 0.0, 1.0]))])
print(fibonacci(6).numpy().tolist())
print(float(tf.foldl(lambda total, value: total + value, tf.constant([1.0, 2.0, 3.0]))))
