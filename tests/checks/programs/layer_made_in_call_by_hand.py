"""A model whose `call` runs once, as a function that builds a functional model."""

from tensorflow import keras
from tensorflow.keras import layers


class Builder(keras.Model):
    def call(self, inputs):
        return layers.Dense(1)(layers.Dense(8)(inputs))

    def functional(self):
        inputs = keras.Input((8,))
        return keras.Model(inputs, self.call(inputs))
