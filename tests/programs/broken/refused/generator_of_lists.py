# requires: keras3
"""A generator yields the two inputs of a model as a list, for which a dataset has no type."""
import keras
import numpy as np

left, right = keras.Input((2,)), keras.Input((2,))
model = keras.Model([left, right], keras.layers.Dense(1)(keras.layers.Concatenate()([left, right])))
model.compile("sgd", "mse")


def batches():
    while True:
        yield [np.ones((4, 2)), np.ones((4, 2))], np.ones((4, 1))


model.fit(batches(), steps_per_epoch=2, verbose=0)  # why: TW701
