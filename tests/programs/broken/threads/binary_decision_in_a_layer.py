import numpy as np
import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.score = tf.keras.layers.Dense(units)

    def call(self, x):
        gate = tf.nn.sigmoid(self.score(x))
        return tf.cast(gate > 0.5, tf.float32)  # why: TW106


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encode = tf.keras.layers.Dense(6, activation="relu")
        self.gate = Gate(6)
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        hidden = self.encode(x)
        return self.out(hidden * self.gate(x))


model = Model()
model.compile("adam", "mse")
rng = np.random.default_rng(0)
model.fit(rng.normal(size=(16, 3)).astype("float32"), rng.normal(size=(16, 1)).astype("float32"), verbose=0)
