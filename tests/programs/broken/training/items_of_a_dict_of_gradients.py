"""The items of a dict of gradients are pairs, but of names and gradients."""

import tensorflow as tf

weights = {"scale": tf.Variable(1.5), "shift": tf.Variable(0.5)}
optimizer = tf.keras.optimizers.Adam(0.1)
x = tf.constant([0.0, 1.0, 2.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((weights["scale"] * x + weights["shift"] - 3.0 * x) ** 2)
    optimizer.apply_gradients(tape.gradient(loss, weights).items())  # why: TW121
