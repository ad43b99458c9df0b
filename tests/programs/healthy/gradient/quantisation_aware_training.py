"""Fake quantisation of weights and a straight-through rounding of activations."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(152)
rng = np.random.default_rng(152)


def round_through(x):
    return x + tf.stop_gradient(tf.round(x) - x)


class QuantDense(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(int(shape[-1]), self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def call(self, inputs):
        kernel = tf.quantization.fake_quant_with_min_max_args(self.kernel, min=-2.0, max=2.0, num_bits=4)
        activation = tf.nn.relu(tf.matmul(inputs, kernel) + self.bias)
        return round_through(activation * 8.0) / 8.0


model = tf.keras.Sequential([QuantDense(10), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
x = rng.normal(size=(50, 4)).astype("float32")
y = np.abs(x[:, :1])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(step, round(float(loss), 4))
