"""Trains an encoder and a decoder together: one list holds the variables of both."""

import numpy as np
import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(3, activation="tanh")], name="encoder")
decoder = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(6)], name="decoder")
optimizer = tf.keras.optimizers.Adam(0.01)
batch = tf.random.normal((16, 6))
before = encoder.get_weights()

for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(decoder(encoder(batch)) - batch))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print(step, float(loss))
assert all(np.any(old != new) for old, new in zip(before, encoder.get_weights()))
