"""Gradual unfreezing with a schedule object: each stage frees one block more, but the step has been traced."""

import numpy as np
import tensorflow as tf

from schedule import Gradual

tf.keras.utils.set_random_seed(24)
blocks = [tf.keras.layers.Dense(10, activation="relu", name=f"block{i}") for i in range(3)]
model = tf.keras.Sequential([tf.keras.Input((5,)), *blocks, tf.keras.layers.Dense(1, name="head")])
gradual = Gradual(blocks)
gradual.start()
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


rng = np.random.default_rng(24)
x = tf.constant(rng.normal(size=(40, 5)).astype("float32"))
y = tf.reduce_sum(x, axis=1, keepdims=True)
for epoch in range(3):
    for _ in range(4):
        loss = step(x, y)
    gradual.advance()
    print(epoch, float(loss), len(model.trainable_variables))
for _ in range(4):
    step(x, y)
