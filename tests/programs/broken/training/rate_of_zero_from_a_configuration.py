"""A learning rate of zero comes out of a configuration; the step is traced, so that nobody sees the updates."""

import numpy as np
import tensorflow as tf

config = {"lr": 0.0, "steps": 5}
x = np.random.default_rng(0).normal(size=(64, 5)).astype("float32")
y = x[:, :1] * 2 + 1
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(config["lr"], momentum=0.9)  # why: TW604


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for i in range(config["steps"]):
    print(i, float(step(x, y)))
