"""A running total stays the variable that it is."""
import tensorflow as tf


def observe(total, readings):
    for reading in readings:
        if reading > 0.0:
            total.assign_add(reading)
    total.assign(total / len(readings))
    return total


level = tf.Variable(0.0)
print(observe(level, [1.5, -0.5, 2.0]).numpy())
