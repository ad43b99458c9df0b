# requires: keras3
# Keras 3 has a compiled `call` traced before the layers in it have variables: only what is around it learns.
import numpy as np
import tensorflow as tf
from blocks import Residual


class Regressor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Residual(4)
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.block(x))


random = np.random.default_rng(0)
x = random.normal(size=(64, 4)).astype("float32")
y = np.sum(x**2, axis=1, keepdims=True)
model = Regressor()
model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="mse")
model.fit(x, y, batch_size=16, epochs=2, verbose=0)
