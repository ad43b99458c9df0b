# requires: keras3
# Losses have the names of layers, and the model returns a tuple, whose parts have no names.
import keras
import numpy as np


class Heads(keras.Model):
    def __init__(self):
        super().__init__()
        self.value, self.kind = keras.layers.Dense(1, name="value"), keras.layers.Dense(3, name="kind")

    def call(self, x):
        return self.value(x), self.kind(x)


def compiled(model):
    losses = {"value": "mse", "kind": keras.losses.SparseCategoricalCrossentropy(from_logits=True)}
    model.compile("sgd", losses)
    return model


x = np.ones((8, 4), "float32")
compiled(Heads()).fit(x, (x[:, :1], np.zeros(8, "int32")), verbose=0)  # why: TW701
