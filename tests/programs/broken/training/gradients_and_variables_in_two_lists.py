"""Hands the optimizer two lists in the place of pairs."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-2)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients([gradients, model.trainable_variables])  # why: TW121
    return loss


print(train_step(tf.ones((4, 2)), tf.ones((4, 1))))
