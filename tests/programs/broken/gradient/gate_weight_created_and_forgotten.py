"""A layer creates a gate in `build` and does not use it in `call`: fit warns that the gate has no gradient.

Multiplied into the output, the gate gets one.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(57)
rng = np.random.default_rng(57)


class GatedDense(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(input_shape[-1], self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        self.gate = self.add_weight(name="gate", shape=(self.units,), initializer="ones")  # why: TW115
        super().build(input_shape)

    def call(self, inputs):
        return tf.nn.relu(tf.matmul(inputs, self.kernel) + self.bias)


inputs = keras.Input((4,))
outputs = keras.layers.Dense(2, activation="softmax")(GatedDense(8, name="gated")(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x = rng.normal(size=(64, 4)).astype("float32")
y = (x[:, 0] > 0).astype("int32")
model.fit(x, y, epochs=2, batch_size=32, verbose=0)
print("loss, accuracy", [round(v, 3) for v in model.evaluate(x, y, verbose=0)])
