# requires: tf>=2.12
"""Two heads on one trunk are trained in turn, and the optimizer is given what there is of both, in each step."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(75)
x = np.random.default_rng(75).normal(size=(32, 4)).astype("float32")
y = x[:, :1]


class TwoHeads(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.trunk = tf.keras.layers.Dense(5, activation="tanh")
        self.first, self.second = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
        self.trunk.build((None, 4))
        self.first.build((None, 5))  # why: TW115
        self.second.build((None, 5))  # why: TW115

    def call(self, inputs, head=0):
        hidden = self.trunk(inputs)
        return self.second(hidden) if head else self.first(hidden)


model = TwoHeads()
optimizer = tf.keras.optimizers.Adam(0.01)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, head=step % 2) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(step, float(loss))
