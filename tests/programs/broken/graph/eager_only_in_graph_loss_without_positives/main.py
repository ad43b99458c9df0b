# requires: keras3
# A loss looks whether a batch has positives. Keras 3 traces it without AutoGraph.
import numpy as np
from losses import Focal
from tensorflow import keras

rng = np.random.default_rng(0)
x, y = rng.normal(size=(40, 5)), rng.integers(0, 2, size=(40, 1)).astype("float32")
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", Focal(2.0))
model.fit(x, y, epochs=1, verbose=0)
