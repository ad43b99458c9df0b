import tensorflow as tf
from tensorflow import keras


class CropTime(keras.layers.Layer):
    """Keeps the first part of a sequence."""

    def __init__(self, share):
        super().__init__()
        self.share = share

    def kept(self, length):
        return int(tf.cast(length, tf.float32) * self.share)  # why: TW406

    def call(self, inputs):
        return inputs[:, : self.kept(tf.shape(inputs)[1])]
