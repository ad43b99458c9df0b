"""A network gets one tensor that is put together from its columns, and the gradient is asked for one of them."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
network = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
points = tf.random.uniform((16, 2))
place, time = points[:, 0:1], points[:, 1:2]

with tf.GradientTape(persistent=True) as tape:
    tape.watch([place, time])
    height = network(tf.concat([place, time], axis=1))

print(float(tf.norm(tape.gradient(height, time))), tape.gradient(height, place).shape)
