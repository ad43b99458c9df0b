"""LoRA: the kernel is frozen, one factor starts random and the other at zero."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(154)
rng = np.random.default_rng(154)


class LoRA(keras.layers.Layer):
    def __init__(self, dense, rank=2):
        super().__init__()
        self.dense = dense
        self.dense.trainable = False
        rows, columns = dense.kernel.shape
        self.a = self.add_weight(name="a", shape=(rows, rank), initializer="random_normal")
        self.b = self.add_weight(name="b", shape=(rank, columns), initializer="zeros")

    def call(self, inputs):
        return self.dense(inputs) + tf.matmul(tf.matmul(inputs, self.a), self.b)


pretrained = keras.layers.Dense(3)
pretrained.build((None, 5))
model = keras.Sequential([keras.Input((5,)), LoRA(pretrained)])
model.compile(keras.optimizers.Adam(0.05), "mse")
x = rng.normal(size=(60, 5)).astype("float32")
history = model.fit(x, x[:, :3], epochs=3, batch_size=20, verbose=0)
print([round(v, 3) for v in history.history["loss"]], len(model.trainable_weights))
