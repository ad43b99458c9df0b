import tensorflow as tf
from tensorflow import keras


class TemporalAttention(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.query = keras.layers.Dense(units)
        self.steps = None

    def build(self, input_shape):
        self.query.build(input_shape)
        self.built = True

    def positions(self, x):
        if self.steps is None:
            self.steps = tf.cast(tf.shape(x)[1], tf.float32)  # why: TW402
        return tf.range(self.steps) / self.steps

    def call(self, x):
        decay = tf.exp(-self.positions(x))
        return tf.reduce_sum(self.query(x) * decay[None, :, None], axis=1)


def temporal_model(steps, width):
    inputs = keras.Input((steps, width))
    x = TemporalAttention(8)(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(x))
