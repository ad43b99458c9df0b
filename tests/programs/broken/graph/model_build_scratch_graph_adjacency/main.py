import numpy as np
import tensorflow as tf


class GraphConv(tf.keras.layers.Layer):
    """Mixes the nodes with a normalised adjacency that it computes once."""

    def __init__(self, units):
        super().__init__()
        self.project = tf.keras.layers.Dense(units)
        self.adjacency = None

    def normalised(self, features):
        if self.adjacency is None:
            scores = tf.matmul(features, features, transpose_b=True)
            self.adjacency = tf.nn.softmax(tf.reduce_mean(scores, axis=0))  # why: TW402
        return self.adjacency

    def call(self, features):
        return tf.matmul(self.normalised(features), self.project(features))


inputs = tf.keras.Input((5, 3))
outputs = tf.keras.layers.Dense(1)(GraphConv(4)(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(8, 5, 3)).astype("float32")
model.fit(x, x[..., :1], verbose=0)
