"""Both gradients are None: the layers ran before the tape opened, and the constant input was never watched.

Only both changes together (the calls moved into the `with`, and `tape.watch(points)`) give gradients: moving alone
leaves the one of `points` None, watching alone changes nothing.
"""

import tensorflow as tf

tf.keras.utils.set_random_seed(21)

points = tf.constant([[0.5, -1.0], [2.0, 0.3], [0.0, 1.0]])  # why: TW101
lift = tf.keras.layers.Dense(4, activation="tanh")
mixed = lift(points)  # why: TW102
picked = tf.gather(mixed, [0, 2])

with tf.GradientTape() as tape:
    energy = tf.reduce_sum(picked[:, :2] ** 2)

slopes, kernel_slope = tape.gradient(energy, [points, lift.kernel])
print("energy", round(float(energy), 5))
print("d/dpoints", slopes)
print("d/dkernel", kernel_slope)
