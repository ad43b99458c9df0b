# Rows that are narrower than those that the model was made for.
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.predict(np.ones((2, 3), "float32"), verbose=0)  # why: TW701
