"""Both nested tapes are called `tape`: after the inner `with` the name means the inner tape, which is used up.

The second `tape.gradient` raises; with the outer tape under a name of its own the second derivative is a value.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(70)
net = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="tanh"), tf.keras.layers.Dense(1)])
points = tf.constant(np.linspace(-1, 1, 9)[:, None], tf.float32)


def bending(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.GradientTape() as tape:  # why: TW118
            tape.watch(x)
            y = net(x)
        slope = tape.gradient(y, x)
    return tape.gradient(slope, x)


curvature = bending(points)
print("largest curvature", round(float(tf.reduce_max(tf.abs(curvature))), 5))
