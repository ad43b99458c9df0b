# requires: keras2
import numpy as np
import tensorflow as tf


class NoisyDense(tf.keras.layers.Layer):
    def __init__(self, units, std=0.5):
        super().__init__()
        self.units = units
        self.std = std

    def build(self, input_shape):
        size = int(input_shape[-1])
        self.mu = self.add_weight(name="mu", shape=(size, self.units), initializer="random_uniform")
        spread = tf.keras.initializers.Constant(self.std)
        self.sigma = self.add_weight(name="sigma", shape=(size, self.units), initializer=spread)
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        self.noise = tf.random.normal((size, self.units))
        self.kernel = self.mu + self.sigma * self.noise  # why: TW102
        self.built = True

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel) + self.bias


class QNetwork(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(24, activation="relu")
        self.noisy = NoisyDense(actions)

    def call(self, states):
        return self.noisy(self.hidden(states))


rng = np.random.default_rng(3)
network = QNetwork(3)
network.compile("adam", "mse")
states = rng.normal(size=(64, 4)).astype("float32")
network.fit(states, states[:, :3] ** 2, epochs=2, verbose=0)
