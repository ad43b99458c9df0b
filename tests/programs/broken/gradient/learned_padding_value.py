"""A layer learns the value it pads sequences with, through `constant_values` of `tf.pad`: its gradient is None.

TensorFlow's gradient of padding answers for the padded tensor only; `tf.concat` with the repeated value gives one.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(33)
rng = np.random.default_rng(33)


class LearnedPadding(tf.keras.layers.Layer):
    def __init__(self, before):
        super().__init__()
        self.before = before
        self.fill = self.add_weight(name="fill", shape=(), initializer="ones")

    def call(self, sequence):
        return tf.pad(sequence, [[0, 0], [self.before, 0]], constant_values=self.fill)  # why: TW108


padding = LearnedPadding(2)
dense = tf.keras.layers.Dense(1)
x = tf.constant(rng.normal(size=(16, 5)), tf.float32)
y = tf.constant(rng.normal(size=(16, 1)), tf.float32)
optimizer = tf.keras.optimizers.SGD(0.1)
dense(padding(x))

for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((dense(padding(x)) - y) ** 2)
    variables = padding.trainable_variables + dense.trainable_variables
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    print(step, round(float(loss), 4), "fill", float(padding.trainable_variables[0]))
