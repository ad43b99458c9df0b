"""A curriculum counts its steps in a Python attribute that a tf.function reads: only the first value is ever seen.

The second head is meant to join after three steps; its gradients stay None and Keras warns. Traced when the counter
is past three, the head has gradients.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(80)
rng = np.random.default_rng(80)


class Curriculum(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.layers.Dense(8, activation="relu")
        self.easy = keras.layers.Dense(1)
        self.hard = keras.layers.Dense(1)
        self.hard.build((None, 8))
        self.seen = 0

    def call(self, inputs):
        h = self.body(inputs)
        out = self.easy(h)
        if self.seen >= 3:  # why: TW122
            out = out + self.hard(h)
        return out


model = Curriculum()
optimizer = keras.optimizers.SGD(0.01)
x = tf.constant(rng.normal(size=(20, 4)), tf.float32)
y = tf.reduce_sum(x**2, axis=1, keepdims=True)


@tf.function
def train(features, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    weights = model.trainable_weights
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


model(x)
before = model.hard.get_weights()[0]
for step in range(6):
    loss = train(x, y)
    model.seen += 1
print("loss", round(float(loss), 4), "hard head changed:", bool(np.any(before != model.hard.get_weights()[0])))
