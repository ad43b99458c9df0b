"""Rows of an embedding that are in no batch have a zero gradient, and rows that are have none to complain about."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(110)
rng = np.random.default_rng(110)
embedding = tf.keras.layers.Embedding(50, 4)
readout = tf.keras.layers.Dense(1)
tokens = rng.integers(0, 8, size=(20, 5))
labels = rng.integers(0, 2, size=(20, 1)).astype("float32")
readout(embedding(tokens)[:, 0])
optimizer = tf.keras.optimizers.SGD(0.5)
start = embedding.get_weights()[0].copy()

for step in range(5):
    with tf.GradientTape() as tape:
        logits = readout(tf.reduce_mean(embedding(tokens), axis=1))
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    variables = embedding.trainable_variables + readout.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(step, round(float(loss), 5), type(gradients[0]).__name__)
moved = np.any(start != embedding.get_weights()[0], axis=1)
print("rows moved", int(moved.sum()))
