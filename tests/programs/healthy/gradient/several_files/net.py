"""The forecaster: an LSTM with layer normalisation and dropout."""

import tensorflow as tf


class Forecaster(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.lstm = tf.keras.layers.LSTM(units)
        self.norm = tf.keras.layers.LayerNormalization()
        self.drop = tf.keras.layers.Dropout(0.1)
        self.out = tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L2(1e-4))

    def call(self, inputs, training=False):
        return self.out(self.drop(self.norm(self.lstm(inputs)), training=training))
