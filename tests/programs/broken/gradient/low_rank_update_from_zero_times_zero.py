"""A low-rank adapter starts both factors at zero: each one's gradient is a product with the other, so both stay zero.

`fit` changes nothing; with a random start of the first factor (and zeros in the second) both learn.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(90)
rng = np.random.default_rng(90)


class LowRankDense(keras.layers.Layer):
    def __init__(self, frozen_kernel, rank=2, **kwargs):
        super().__init__(**kwargs)
        self.frozen_kernel = tf.constant(frozen_kernel)
        rows, columns = frozen_kernel.shape
        self.down = self.add_weight(name="down", shape=(rows, rank), initializer="zeros")
        self.up = self.add_weight(name="up", shape=(rank, columns), initializer="zeros")  # why: TW205

    def call(self, inputs):
        return tf.matmul(inputs, self.frozen_kernel) + tf.matmul(tf.matmul(inputs, self.down), self.up)


pretrained = rng.normal(size=(6, 3)).astype("float32")
layer = LowRankDense(pretrained, name="adapter")
model = keras.Sequential([keras.Input((6,)), layer])
model.compile(optimizer=keras.optimizers.Adam(0.05), loss="mse")
x = rng.normal(size=(64, 6)).astype("float32")
y = x @ (pretrained + 0.3 * rng.normal(size=(6, 1)).astype("float32"))
history = model.fit(x, y, epochs=4, batch_size=16, verbose=0)
print("losses", [round(v, 4) for v in history.history["loss"]])
print("size of the update", float(tf.norm(tf.matmul(layer.down, layer.up))))
