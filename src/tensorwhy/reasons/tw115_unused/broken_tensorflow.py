"""Two layers are trained; the second was meant to follow the first, but gets the raw batch."""

import tensorflow as tf

first = tf.keras.layers.Dense(3, activation="tanh", name="first")
second = tf.keras.layers.Dense(1, name="second")
batch = tf.random.normal((8, 3))
first.build((None, 3))

with tf.GradientTape() as tape:
    hidden = first(batch)  # why: TW115
    loss = tf.reduce_mean(tf.square(second(batch)))

grads = tape.gradient(loss, first.trainable_variables + second.trainable_variables)
print([None if grad is None else float(tf.norm(grad)) for grad in grads])
