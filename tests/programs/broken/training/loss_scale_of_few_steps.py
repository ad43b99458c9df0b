# requires: keras3
"""An optimizer divides by its loss scale from the first step on, and the loss of this loop was never multiplied by it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.default_rng(1).normal(size=(64, 6)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
plain = tf.keras.optimizers.SGD(0.2, momentum=0.9)
optimizer = tf.keras.optimizers.LossScaleOptimizer(plain)  # why: TW604


def update(batch, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - wanted))
    slopes = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(slopes, model.trainable_variables))
    return loss


for _ in range(6):
    print(float(update(x, x[:, :1])) > 0)
