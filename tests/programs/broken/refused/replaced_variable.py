"""A running total is a variable until a helper gives the name to the sum."""
import tensorflow as tf


def observe(total, readings):
    for reading in readings:
        if reading > 0.0:
            total = total + reading  # why: TW112
    total.assign(total / len(readings))
    return total


level = tf.Variable(0.0)
print(observe(level, [1.5, -0.5, 2.0]))
