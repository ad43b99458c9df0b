"""A custom gradient answers None for its second argument: the learned threshold never moves, and Keras warns.

With the derivative in the threshold returned in its place the threshold has a gradient.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(72)
rng = np.random.default_rng(72)


@tf.custom_gradient
def spike(potential, threshold):
    fired = tf.cast(potential > threshold, tf.float32)

    def surrogate(upstream):
        shape = 1.0 / (1.0 + tf.abs(potential - threshold)) ** 2
        return upstream * shape, None  # why: TW119

    return fired, surrogate


class SpikingLayer(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)
        self.threshold = self.add_weight(name="threshold", shape=(), initializer="ones")

    def call(self, inputs):
        return spike(self.dense(inputs), tf.convert_to_tensor(self.threshold))


layer, readout = SpikingLayer(6), tf.keras.layers.Dense(1)
x = tf.constant(rng.normal(size=(30, 4)), tf.float32)
y = tf.reduce_sum(tf.nn.relu(x), axis=1, keepdims=True)
optimizer = tf.keras.optimizers.Adam(0.02)

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((readout(layer(x)) - y) ** 2)
    variables = layer.trainable_variables + readout.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(step, round(float(loss), 4), [v.shape.as_list() for g, v in zip(gradients, variables) if g is None])
