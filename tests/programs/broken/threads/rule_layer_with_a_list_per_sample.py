# requires: keras3
import numpy as np
import tensorflow as tf


class RuleLayer(tf.keras.layers.Layer):
    def __init__(self, inputs, members):
        super().__init__()
        self.n, self.m = inputs, members

    def call(self, memberships):
        rules = []
        for sample in tf.range(tf.shape(memberships)[0]):  # why: TW406
            product = memberships[sample, 0]
            for feature in range(1, self.n):
                product = tf.reshape(product[:, None] * memberships[sample, feature][None, :], [-1])
            rules.append(product)
        return tf.reshape(tf.stack(rules), (-1, self.m**self.n))


model = tf.keras.Sequential([RuleLayer(3, 2), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
rng = np.random.default_rng(0)
model.fit(rng.uniform(size=(8, 3, 2)).astype("float32"), rng.integers(0, 2, (8, 1)), batch_size=4, verbose=0)
