"""A binary network takes the sign of its weights in the forward pass: the gradient of `tf.sign` is zero everywhere.

The binary layer never trains, without a warning; with a straight-through estimator its weights change.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(86)
rng = np.random.default_rng(86)


class BinaryDense(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.latent = self.add_weight(
            name="latent", shape=(int(input_shape[-1]), self.units), initializer="glorot_uniform"
        )
        super().build(input_shape)

    def call(self, inputs):
        binary = tf.sign(self.latent)  # why: TW203
        return tf.matmul(inputs, binary)


model = keras.Sequential([BinaryDense(6, name="binary"), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(0.05), loss="mse")
x = rng.normal(size=(80, 5)).astype("float32")
y = x[:, :1] - x[:, 1:2]
model.build((None, 5))
before = model.layers[0].get_weights()[0]
history = model.fit(x, y, epochs=4, batch_size=20, verbose=0)
print("losses", [round(v, 3) for v in history.history["loss"]])
print("binary weights changed:", bool(np.any(before != model.layers[0].get_weights()[0])))
