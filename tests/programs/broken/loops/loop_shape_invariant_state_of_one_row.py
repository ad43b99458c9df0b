"""The cell starts with one row for the whole batch, and returns a row for each sample."""
import numpy as np
import tensorflow as tf


class Leaky(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.state_size = units
        self.output_size = units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units))

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return [self.start()]

    def start(self):
        return tf.ones((1, self.units))  # why: TW503

    def call(self, inputs, states):
        now = 0.5 * states[0] + tf.tanh(tf.matmul(inputs, self.kernel))
        return now, [now]


inputs = tf.keras.Input((5, 3))
outputs = tf.keras.layers.Dense(1)(tf.keras.layers.RNN(Leaky(4))(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", "mse")
model.fit(np.zeros((8, 5, 3), "float32"), np.zeros((8, 1), "float32"), batch_size=4, verbose=0)
