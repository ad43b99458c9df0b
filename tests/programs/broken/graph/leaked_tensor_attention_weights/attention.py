import tensorflow as tf
from tensorflow import keras


class AttentionPooling(keras.layers.Layer):
    """A mean over time, weighted by learned scores."""

    def __init__(self, units):
        super().__init__()
        self.score = keras.layers.Dense(1)
        self.hidden = keras.layers.Dense(units, activation="tanh")
        self.weights_of_last_batch = None

    def build(self, input_shape):
        self.hidden.build(input_shape)
        self.score.build((*input_shape[:-1], self.hidden.units))
        self.built = True

    def call(self, inputs):
        scores = self.score(self.hidden(inputs))
        weights = tf.nn.softmax(scores, axis=1)
        self.weights_of_last_batch = weights  # why: TW403
        return tf.reduce_sum(weights * inputs, axis=1)
