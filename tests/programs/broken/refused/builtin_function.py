"""The argument of a layer has another name in `call`, so Python's own function goes into the product."""
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(name="w", shape=(shape[-1], 3))

    def call(self, x):
        return tf.matmul(input, self.w)  # why: TW701


print(Scaled()(tf.ones((1, 2))))
