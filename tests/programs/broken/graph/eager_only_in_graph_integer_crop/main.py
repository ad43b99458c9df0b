# requires: keras3
# How much to cut off is worked out as a Python integer from a tensor.
import numpy as np
from layers import CropTime
from tensorflow import keras

inputs = keras.Input((None, 2))
x = CropTime(0.8)(inputs)
x = keras.layers.GlobalAveragePooling1D()(x)
model = keras.Model(inputs, keras.layers.Dense(1)(x))
print(model.predict(np.zeros((2, 10, 2)), verbose=0).shape)
