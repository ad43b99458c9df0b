"""Each node of a graph meets all others, and `fit` takes all of them at once."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)


class Spreading(tf.keras.layers.Layer):
    def build(self, shapes):
        self.kernel = self.add_weight(shape=(shapes[0][-1], 2), name="kernel")

    def call(self, inputs):
        nodes, edges = inputs
        return tf.matmul(edges, tf.matmul(nodes, self.kernel))


nodes, edges = tf.keras.Input((3,)), tf.keras.Input((50,))
model = tf.keras.Model([nodes, edges], Spreading()([nodes, edges]))
model.compile("adam", "mse")
x = np.random.default_rng(0).normal(size=(50, 3)).astype("float32")
model.fit([x, np.eye(50, dtype="float32")], x[:, :2], batch_size=50, shuffle=False, verbose=0)
