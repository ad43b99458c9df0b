import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class PeepholeCell(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units
        self.output_size = units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units))
        self.recurrent = self.add_weight(name="recurrent", shape=(self.units, self.units))

    def call(self, inputs, states):
        previous = states[0]
        gate = tf.sigmoid(tf.matmul(inputs, self.kernel) + tf.matmul(previous, self.recurrent))
        memory = tf.concat([gate, previous], axis=1)  # why: TW503
        return gate, [memory]


def recurrent_model(features):
    inputs = layers.Input((None, features))
    x = layers.RNN(PeepholeCell(4), return_sequences=True)(inputs)
    return tf.keras.Model(inputs, layers.Dense(1)(x))


model = recurrent_model(3)
model.compile("sgd", "mse")
model.fit(np.zeros((4, 6, 3), "float32"), np.zeros((4, 6, 1), "float32"), verbose=0)
