# requires: tf>=2.12
# Weights are loaded into a new model before it knows its input, and so before it has any weights.
import os
import tempfile

import numpy as np
from tensorflow import keras


def build():
    return keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])


features = np.ones((2, 3), "float32")
path = os.path.join(tempfile.mkdtemp(), "model.weights.h5")
trained = build()
trained(features)
trained.save_weights(path)

restored = build()
restored.load_weights(path)  # why: TW603
