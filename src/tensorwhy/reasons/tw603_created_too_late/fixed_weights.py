# requires: tf>=2.12
# The new model is called once, which makes its weights, and then they are loaded.
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
restored(features)
restored.load_weights(path)
assert np.allclose(trained(features), restored(features))
