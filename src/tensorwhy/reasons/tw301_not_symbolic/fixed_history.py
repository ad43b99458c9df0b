# Starts from a symbolic output of the model.
import numpy as np
from tensorflow import keras

inputs = keras.Input((3,))
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1, name="score")])
output = model(inputs)
prediction = model(np.ones((2, 3), "float32"))

layer = output._keras_history[0]
assert layer is model
