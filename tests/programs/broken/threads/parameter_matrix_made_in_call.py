import numpy as np
import tensorflow as tf


class Interaction(tf.keras.layers.Layer):
    """Attention between the fields of a click record."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, inputs):
        query = tf.Variable(tf.random.normal([inputs.shape[-1], self.size]), name="query")  # why: TW408
        key = tf.Variable(tf.random.normal([inputs.shape[-1], self.size]), name="key")
        scores = tf.matmul(inputs @ query, inputs @ key, transpose_b=True)
        return tf.matmul(tf.nn.softmax(scores), inputs)


class AutoInt(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.interaction = Interaction(4)
        self.out = tf.keras.layers.Dense(1, activation="sigmoid")

    def call(self, inputs):
        return self.out(tf.reduce_mean(self.interaction(inputs), axis=1))


model = AutoInt()
model.compile("adam", "binary_crossentropy")
rng = np.random.default_rng(0)
model.fit(rng.normal(size=(8, 5, 3)).astype("float32"), rng.integers(0, 2, (8, 1)), verbose=0)
