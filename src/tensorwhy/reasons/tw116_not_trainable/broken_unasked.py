"""Trains a decoder, and leaves the encoder in front of it out of the list of variables."""

import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(3, activation="tanh")], name="encoder")
decoder = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(6)], name="decoder")
optimizer = tf.keras.optimizers.Adam(0.01)
batch = tf.random.normal((16, 6))

for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(decoder(encoder(batch)) - batch))
    variables = decoder.trainable_variables  # why: TW116
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print(step, float(loss))
