"""A functional model has a layer that detaches its features, and nobody froze the encoder: fit warns about its weights.

The encoder stays at its random start while the loss is reported as usual; without `stop_gradient` the encoder's
kernel changes too.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(19)
rng = np.random.default_rng(19)


class ScaledFeatures(layers.Layer):
    """Brings features to unit length, with statistics that should not be trained through."""

    def call(self, inputs):
        features = tf.stop_gradient(inputs)  # why: TW104
        return features / (tf.norm(features, axis=-1, keepdims=True) + 1e-6)


inputs = keras.Input((8,))
x = layers.Dense(12, activation="relu", name="encoder")(inputs)
x = ScaledFeatures(name="scale")(x)
outputs = layers.Dense(1, name="score")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")

features = rng.normal(size=(96, 8)).astype("float32")
targets = features[:, :1] * 2.0
start = model.get_layer("encoder").get_weights()[0]
history = model.fit(features, targets, epochs=2, batch_size=32, verbose=0)
print("loss", [round(v, 4) for v in history.history["loss"]])
print("encoder changed:", bool(np.any(start != model.get_layer("encoder").get_weights()[0])))
