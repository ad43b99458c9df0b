"""A network gets one tensor of coordinates, and its gradient is asked for a column that was cut out of that beside it.

Each slice is a new tensor; what the network was computed from is the whole.
"""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
network = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])


def slopes(points):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(points)
        height = network(points)
        time = points[:, 1:2]  # why: TW115
    return tape.gradient(height, points), tape.gradient(height, time)


both, by_time = slopes(tf.random.uniform((16, 2)))
print(by_time is None)
