# Ends in an ordinary error about unpacking.
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(10)])
model.compile("adam", "mse")
x, y = np.random.rand(16, 8), np.random.rand(16, 10)
model.fit(x, y, epochs=1, verbose=0)
loss, accuracy = model.evaluate(x, y, verbose=0)
