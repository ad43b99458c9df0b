"""Layers that are made in the `call` of another one, and such that are kept or need no training."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def call(self, inputs):
        hidden = layers.Conv2D(8, 3, padding="same")(inputs)  # why: TW603
        return layers.ReLU()(hidden)


class Residual(Block):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def call(self, inputs, training=None):
        x = inputs
        for _ in range(2):
            dense = layers.Dense(self.units)
            x = dense(x)  # why: TW603
        if training:
            x = layers.BatchNormalization()(x, training=True)  # why: TW603
        return inputs + x


class Kept(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(1)

    def call(self, inputs):
        return self.head(inputs)


class MadeWithTheFirstCall(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = None

    def call(self, inputs):
        if self.head is None:
            head = layers.Dense(inputs.shape[-1])
            self.head = head
        return self.head(inputs)


class WithoutWeights(layers.Layer):
    def call(self, inputs):
        return layers.Flatten()(layers.Dropout(0.5)(inputs))


class Fixed(layers.Layer):
    def call(self, inputs):
        return layers.Conv2D(1, 3, kernel_initializer=blur, use_bias=False, trainable=False)(inputs)


class NoLayer:
    def call(self, inputs):
        return layers.Dense(8)(inputs)


class OutsideOfTheGraph(layers.Layer):
    def call(self, inputs):
        with tf.init_scope():
            scale = layers.Dense(1)(self.template)
        return inputs * scale


def blur(shape, dtype=None):
    return tf.ones(shape, dtype) / 9.0
