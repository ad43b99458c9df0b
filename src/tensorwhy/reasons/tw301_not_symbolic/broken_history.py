# Walks back through a model's layers, but starts from a computed prediction.
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
prediction = model(np.ones((2, 3), "float32"))

layer = prediction._keras_history[0]  # why: TW301
print(layer.name)
