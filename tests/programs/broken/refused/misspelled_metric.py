"""A metric is asked for by a name that Keras does not know; that shows in the first step of the training."""
import keras
import numpy as np

wanted = ["acuracy"]
model = keras.Sequential([keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=wanted)
model.fit(np.ones((8, 4)), np.zeros((8,)), verbose=0)  # why: TW701
