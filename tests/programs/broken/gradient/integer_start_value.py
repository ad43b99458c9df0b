"""Gradient descent from `tf.Variable(3)`: an integer variable has no gradient, and the first update raises.

With `tf.Variable(3.0)` the same loop finds the minimum.
"""

import tensorflow as tf

step_size = 0.1


def parabola(value):
    return (value - 1.5) ** 2 + 0.25


x = tf.Variable(3, name="x")  # why: TW105
trail = []
for iteration in range(10):
    with tf.GradientTape() as tape:
        y = parabola(tf.cast(x, tf.float32))
    slope = tape.gradient(y, x)
    x.assign_sub(step_size * slope)
    trail.append(float(x))

print("minimum near", round(trail[-1], 3))
