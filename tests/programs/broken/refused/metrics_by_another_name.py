# requires: keras3
"""Metrics are given by the names of outputs, and one of the names is none of the model's."""

import keras
import numpy as np

features = keras.Input((4,))
hidden = keras.layers.Dense(8)(features)
age = keras.layers.Dense(1, name="age")(hidden)
kind = keras.layers.Dense(3, activation="softmax", name="kind")(hidden)
model = keras.Model(features, [age, kind])
watched = {"age": "mae", "class": "accuracy"}
model.compile("sgd", ["mse", "sparse_categorical_crossentropy"], metrics=watched)  # why: TW701
model.fit(np.ones((8, 4)), [np.ones((8, 1)), np.zeros((8,))], verbose=0)
