# requires: keras3
import numpy as np
import tensorflow as tf


class CausalAttention(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.query = tf.keras.layers.Dense(width)
        self.key = tf.keras.layers.Dense(width)
        self.mask = None

    def build(self, shape):
        self.query.build(shape)
        self.key.build(shape)

    def call(self, x):
        scores = tf.matmul(self.query(x), self.key(x), transpose_b=True)
        if self.mask is None:
            length = tf.shape(x)[1]
            self.mask = tf.linalg.band_part(tf.ones([length, length]), -1, 0)  # why: TW402
        return tf.matmul(tf.nn.softmax(scores - 1e9 * (1.0 - self.mask)), x)


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.attention = CausalAttention(4)
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.attention(x))


model = Decoder()
model.compile("adam", "mse")
x = np.random.default_rng(0).normal(size=(8, 5, 3)).astype("float32")
model.fit(x, x[..., :1], verbose=0)
model.predict(x, verbose=0)
