"""Activations of an inner layer as NumPy features for a classic estimator: no gradient is asked for the network."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(128)
rng = np.random.default_rng(128)
images = rng.uniform(size=(30, 8, 8, 1)).astype("float32")
labels = rng.integers(0, 2, size=30)

inputs = keras.Input((8, 8, 1))
x = keras.layers.Conv2D(3, 3, activation="relu")(inputs)
x = keras.layers.GlobalAveragePooling2D(name="pool")(x)
outputs = keras.layers.Dense(4)(x)
network = keras.Model(inputs, outputs)
extractor = keras.Model(network.inputs, network.get_layer("pool").output)

features = extractor.predict(images, verbose=0)
means = np.stack([features[labels == c].mean(axis=0) for c in (0, 1)])
distances = ((features[:, None, :] - means[None]) ** 2).sum(axis=-1)
print("nearest mean", np.bincount(distances.argmin(axis=1), minlength=2).sum(), features.shape)
