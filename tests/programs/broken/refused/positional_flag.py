# requires: keras3
"""A layer of Keras 2 times is called with its extra argument by position."""
import keras


class Scaled(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = keras.layers.Dense(units)

    def call(self, inputs, factor):
        return self.dense(inputs) * factor


def build(factor):
    inputs = keras.Input((8,))
    hidden = Scaled(4)(inputs, factor)  # why: TW701
    return keras.Model(inputs, hidden)


model = build(0.5)
print(model.output_shape)
