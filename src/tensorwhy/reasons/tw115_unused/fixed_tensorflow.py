"""Two layers are trained, the second after the first."""

import tensorflow as tf

first = tf.keras.layers.Dense(3, activation="tanh", name="first")
second = tf.keras.layers.Dense(1, name="second")
batch = tf.random.normal((8, 3))
first.build((None, 3))

with tf.GradientTape() as tape:
    hidden = first(batch)
    loss = tf.reduce_mean(tf.square(second(hidden)))

grads = tape.gradient(loss, first.trainable_variables + second.trainable_variables)
print([None if grad is None else float(tf.norm(grad)) for grad in grads])
assert all(grad is not None for grad in grads)
