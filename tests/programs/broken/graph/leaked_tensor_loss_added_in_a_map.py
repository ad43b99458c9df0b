import numpy as np
import tensorflow as tf


class PerSample(tf.keras.layers.Layer):
    """Scales each sample by its own norm, and punishes norms far from one."""

    def __init__(self):
        super().__init__()
        self.scale = tf.keras.layers.Dense(1)

    def build(self, shape):
        self.scale.build(shape)
        self.built = True

    def one(self, row):
        norm = tf.norm(row)
        self.note(norm)
        return row / (norm + 1e-3)

    def note(self, norm):
        gap = norm - 1.0
        self.add_loss(tf.square(gap))  # why: TW403

    def call(self, x):
        return tf.map_fn(self.one, x) * self.scale(x)


x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
model = tf.keras.Sequential([PerSample(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x[:, :1], verbose=0)
