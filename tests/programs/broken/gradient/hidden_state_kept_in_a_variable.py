"""A recurrent cell stores its state with `assign` and reads it back: values in variables carry no gradient.

The input kernel, which acts only through the state, gets None and Keras warns; with the new state used directly
(and the variable only written) it gets a gradient.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(50)
rng = np.random.default_rng(50)


class StatefulCell(tf.keras.layers.Layer):
    def __init__(self, units, batch):
        super().__init__()
        self.units = units
        self.input_kernel = tf.keras.layers.Dense(units, name="input_kernel")
        self.readout = tf.keras.layers.Dense(1, name="readout")
        self.state = tf.Variable(tf.zeros([batch, units]), trainable=False, name="state")

    def call(self, inputs):
        updated = tf.tanh(self.input_kernel(inputs) + 0.5 * self.state)
        self.state.assign(updated)  # why: TW113
        return self.readout(self.state)


cell = StatefulCell(4, batch=6)
optimizer = tf.keras.optimizers.Adam(0.01)
sequence = rng.normal(size=(5, 6, 3)).astype("float32")
target = sequence.sum(axis=0)[:, :1]

for epoch in range(3):
    cell.state.assign(tf.zeros_like(cell.state))
    with tf.GradientTape() as tape:
        for step_input in sequence:
            output = cell(step_input)
        loss = tf.reduce_mean((output - target) ** 2)
    gradients = tape.gradient(loss, cell.trainable_variables)
    optimizer.apply_gradients(zip(gradients, cell.trainable_variables))
    print(epoch, round(float(loss), 4), [g is not None for g in gradients])
