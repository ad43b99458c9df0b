"""A tower keeps its blocks in a namespace, as it would keep options."""
import types

import numpy as np
import tensorflow as tf

class Tower(tf.keras.Model):
    def __init__(self, depth):
        super().__init__()
        blocks = [tf.keras.layers.Dense(8, activation="relu") for _ in range(depth)]
        self.blocks = types.SimpleNamespace(layers=blocks)  # why: TW602
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        for layer in self.blocks.layers:
            x = layer(x)
        return self.head(x)

x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model = Tower(3)
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
print(len(model.trainable_weights))
