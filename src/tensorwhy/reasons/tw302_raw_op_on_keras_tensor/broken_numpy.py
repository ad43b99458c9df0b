# Adds a feature with NumPy in the middle of a functional model.
import numpy as np
from tensorflow import keras

inputs = keras.Input((4,))
energy = np.square(inputs)  # why: TW302
joined = keras.layers.Concatenate()([inputs, energy])
model = keras.Model(inputs, keras.layers.Dense(1)(joined))
