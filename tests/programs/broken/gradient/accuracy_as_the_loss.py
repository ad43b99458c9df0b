"""A training loop minimises `1 - binary_accuracy`: the threshold inside it has no gradient, and the optimizer raises.

The binary cross-entropy of the same probabilities trains.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(27)
tf.keras.utils.set_random_seed(27)
x = rng.normal(size=(64, 3)).astype("float32")
y = (x.sum(axis=1, keepdims=True) > 0).astype("float32")

hidden = tf.keras.layers.Dense(6, activation="tanh")
out = tf.keras.layers.Dense(1, activation="sigmoid")
optimizer = tf.keras.optimizers.Adam(0.02)


def forward(batch):
    return out(hidden(batch))


forward(x)
weights = hidden.trainable_weights + out.trainable_weights

for step in range(5):
    with tf.GradientTape() as tape:
        probability = forward(x)
        score = tf.keras.metrics.binary_accuracy(y, probability)  # why: TW106
        loss = 1.0 - tf.reduce_mean(score)
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    print(step, float(loss))
