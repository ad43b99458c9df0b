# requires: tf_keras
"""A cross-entropy over classes is given the one unit of a sigmoid, with the older Keras."""

import numpy as np
import tf_keras as keras

keras.utils.set_random_seed(2)
x = np.random.default_rng(2).random((64, 4)).astype("float32")
labels = (x[:, 0] > 0.5).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])  # why: TW206
model.fit(x, labels, epochs=3, verbose=0)
