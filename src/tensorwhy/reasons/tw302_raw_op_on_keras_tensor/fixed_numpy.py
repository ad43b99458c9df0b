# Multiplication is an operator that Keras tensors have.
import numpy as np
from tensorflow import keras

inputs = keras.Input((4,))
energy = inputs * inputs
joined = keras.layers.Concatenate()([inputs, energy])
model = keras.Model(inputs, keras.layers.Dense(1)(joined))
assert tuple(model(np.ones((2, 4), "float32")).shape) == (2, 1)
