"""Collect the sums of a loop that AutoGraph makes one of the graph, in a list that each turn joins to."""

import tensorflow as tf


@tf.function
def partial_sums(x):
    total = tf.constant(0.0)
    sums = []
    for each in x:
        total += each
        sums = sums + [total]  # why: TW505
    return tf.stack(sums)


print(partial_sums(tf.range(4.0)))
