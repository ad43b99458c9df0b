"""Trains a head and the encoder below it, or so it seems: the encoder never learns."""

import tensorflow as tf

encoder = tf.keras.layers.Dense(4, activation="tanh")
head = tf.keras.layers.Dense(1)
batch = tf.random.normal((8, 3))
encoder.build((None, 3))
head.build((None, 4))

features = encoder(batch)  # why: TW102
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(head(features)))

grads = tape.gradient(loss, encoder.trainable_variables + head.trainable_variables)
print([None if grad is None else float(tf.norm(grad)) for grad in grads])
