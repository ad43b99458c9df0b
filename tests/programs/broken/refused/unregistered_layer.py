# requires: keras3
"""A saved model names a layer class that Keras is not told of; its own message blames the model around it."""
import os
import tempfile

import keras


class Doubled(keras.layers.Layer):
    def call(self, x):
        return x * 2


def save(folder):
    path = os.path.join(folder, "doubled.keras")
    keras.Sequential([keras.Input((3,)), Doubled(), keras.layers.Dense(1)]).save(path)
    return path


with tempfile.TemporaryDirectory() as folder:
    keras.models.load_model(save(folder))  # why: TW701
