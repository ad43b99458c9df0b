# A metric from another library wants arrays; Keras calls it while it traces.
import numpy as np
from metrics import balanced_accuracy
from tensorflow import keras

rng = np.random.default_rng(0)
x, y = rng.normal(size=(40, 5)), rng.integers(0, 2, size=(40, 1))
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy", balanced_accuracy])
model.fit(x, y, epochs=1, verbose=0)
