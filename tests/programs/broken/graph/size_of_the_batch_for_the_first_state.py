"""The first state of a decoder is made for the size of the batch, which `fit` does not know while it traces."""

import numpy as np
import tensorflow as tf


class Decoder(tf.keras.Model):
    def __init__(self, units, outputs):
        super().__init__()
        self.units = units
        self.cell = tf.keras.layers.GRUCell(units)
        self.project = tf.keras.layers.Dense(outputs)

    def first_state(self, batch_size):
        return tf.zeros((batch_size, self.units))  # why: TW406

    def call(self, inputs):
        batch_size, steps, _ = inputs.shape
        state = self.first_state(batch_size)
        outputs = []
        for step in range(steps):
            hidden, [state] = self.cell(inputs[:, step], [state])
            outputs.append(self.project(hidden))
        return tf.stack(outputs, axis=1)


def batches():
    generator = np.random.default_rng(0)
    inputs = generator.normal(size=(24, 5, 3)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((inputs, inputs[..., :2])).batch(8)


model = Decoder(6, 2)
model.compile(optimizer="adam", loss="mse")
model.fit(batches(), epochs=1, verbose=0)
