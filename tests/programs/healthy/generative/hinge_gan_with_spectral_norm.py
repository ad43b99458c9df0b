"""Hinge GAN: spectral normalisation with a power-iteration vector as state, self-attention with a zero gate, EMA."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(66)
real = tf.constant(np.random.default_rng(66).normal(size=(16, 6)).astype("float32"))


class SpectralDense(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        self.u = self.add_weight(name="u", shape=(1, self.units), initializer="random_normal", trainable=False)

    def call(self, inputs, training=False):
        kernel = tf.convert_to_tensor(self.kernel)
        v = tf.stop_gradient(tf.math.l2_normalize(tf.matmul(self.u, kernel, transpose_b=True)))
        u = tf.stop_gradient(tf.math.l2_normalize(tf.matmul(v, kernel)))
        sigma = tf.squeeze(tf.matmul(tf.matmul(v, kernel), u, transpose_b=True))
        if training:
            self.u.assign(u)
        return tf.matmul(inputs, kernel / sigma) + self.bias


class Gate(layers.Layer):
    def build(self, shape):
        self.query, self.value = layers.Dense(shape[-1]), layers.Dense(shape[-1])
        self.gamma = self.add_weight(name="gamma", shape=(), initializer="zeros")

    def call(self, x):
        weights = tf.nn.softmax(tf.matmul(self.query(x), x, transpose_b=True))
        return x + self.gamma * tf.matmul(weights, self.value(x))


G = tf.keras.Sequential([layers.Dense(8, "relu"), Gate(), layers.Dense(6)])
D = tf.keras.Sequential([SpectralDense(8), layers.LeakyReLU(), SpectralDense(1)])
G(tf.zeros((2, 3))), D(real)
average = [tf.Variable(tf.identity(w), trainable=False) for w in G.trainable_variables]
g_opt, d_opt = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(4e-3)


@tf.function
def train(real):
    with tf.GradientTape() as tape:
        fake = tf.stop_gradient(G(tf.random.normal((16, 3))))
        d_loss = tf.reduce_mean(tf.nn.relu(1 - D(real, training=True)) + tf.nn.relu(1 + D(fake, training=True)))
    d_opt.apply_gradients(zip(tape.gradient(d_loss, D.trainable_variables), D.trainable_variables))
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(D(G(tf.random.normal((16, 3)), training=True)))
    g_opt.apply_gradients(zip(tape.gradient(g_loss, G.trainable_variables), G.trainable_variables))
    for slow, fast in zip(average, G.trainable_variables):
        slow.assign(0.9 * slow + 0.1 * fast)
    return d_loss, g_loss


for _ in range(3):
    d_loss, g_loss = train(real)
print(bool(tf.math.is_finite(d_loss + g_loss)), len(average), len(D.trainable_variables))
