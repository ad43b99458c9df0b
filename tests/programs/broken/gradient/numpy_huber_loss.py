"""A Huber loss written with NumPy functions on tensors: what `np.abs` returns is an array, and every gradient is None.

`tf.abs` and `tf.where` in the same places give gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(41)
tf.keras.utils.set_random_seed(41)
inputs = rng.normal(size=(40, 6)).astype(np.float32)
targets = (inputs @ rng.normal(size=(6, 1)) + rng.standard_cauchy(size=(40, 1)) * 0.1).astype(np.float32)


def build_network():
    return tf.keras.Sequential([tf.keras.layers.Dense(10, activation="elu"), tf.keras.layers.Dense(1)])


def huber(y_true, y_pred, delta=1.0):
    error = np.abs(y_true - y_pred)  # why: TW110
    quadratic = 0.5 * error**2
    linear = delta * (error - 0.5 * delta)
    return tf.reduce_mean(tf.where(error < delta, quadratic, linear))


network = build_network()
adam = tf.keras.optimizers.Adam(learning_rate=0.01)
for epoch in range(4):
    order = rng.permutation(40)
    for chunk in np.split(order, 4):
        with tf.GradientTape() as tape:
            predictions = network(inputs[chunk], training=True)
            loss = huber(targets[chunk], predictions)
        gradients = tape.gradient(loss, network.trainable_variables)
        adam.apply_gradients(zip(gradients, network.trainable_variables))
    print("epoch", epoch, "loss", float(loss))
