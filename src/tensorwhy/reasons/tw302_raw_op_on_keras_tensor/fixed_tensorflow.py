# requires: keras3
# The same with Keras operations, which become parts of the model.
import numpy as np
from tensorflow import keras

inputs = keras.Input((16,))
embedded = keras.layers.Dense(8)(inputs)
unit = embedded / keras.ops.sqrt(keras.ops.sum(embedded * embedded, axis=-1, keepdims=True))
model = keras.Model(inputs, unit)

norms = np.linalg.norm(np.asarray(model(np.random.rand(4, 16).astype("float32"))), axis=-1)
np.testing.assert_allclose(norms, 1.0, rtol=1e-4)
