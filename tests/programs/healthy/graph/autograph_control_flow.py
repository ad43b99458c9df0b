"""`if`, `while` and `for` on tensors, as AutoGraph rewrites them."""

import tensorflow as tf


@tf.function
def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@tf.function
def running_maximum(values):
    best = values[0]
    found = tf.TensorArray(tf.float32, size=tf.shape(values)[0])
    for i in tf.range(tf.shape(values)[0]):
        best = tf.maximum(best, values[i])
        found = found.write(i, best)
    return found.stack()


@tf.function
def flag(x, strict):
    if strict and x.shape[0] > 10:
        raise ValueError("too long")
    return tf.cond(tf.size(x) > 2, lambda: tf.reduce_sum(x), lambda: tf.constant(0.0))


print(int(collatz(tf.constant(27))))
print(running_maximum(tf.constant([1.0, 3.0, 2.0])).numpy())
print(float(flag(tf.constant([1.0, 2.0, 3.0]), True)))
