"""A score from Python code is printed beside the loss; only the loss is trained on."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def score(a, b):
    return np.float32(np.corrcoef(np.asarray(a).ravel(), np.asarray(b).ravel())[0, 1])


model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.random.normal([20, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)


@tf.function
def step():
    with tf.GradientTape() as tape:
        guess = model(x)
        loss = tf.reduce_mean(tf.square(guess - y))
        similar = tf.py_function(score, [y, guess], tf.float32)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss, similar


for epoch in range(3):
    loss, similar = step()
    print(epoch, bool(loss > 0), similar.shape)
