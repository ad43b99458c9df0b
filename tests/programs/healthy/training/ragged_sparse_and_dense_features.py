"""Structured data: normalisation, lookups, one-hot, hashing, a ragged bag of tags, a sparse column; wide and deep."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(56)
rng = np.random.default_rng(56)
age = rng.normal(40, 10, size=(32, 1)).astype("float32")
colour = rng.choice(["red", "green", "blue"], size=(32, 1))
tags = tf.RaggedTensor.from_row_lengths(rng.integers(0, 10, size=64), [2] * 32)
sparse = tf.sparse.from_dense((rng.uniform(size=(32, 12)) < 0.2).astype("float32"))
y = (age > 40).astype("float32")

normalise = layers.Normalization(axis=None)
normalise.adapt(age)
lookup = layers.StringLookup(vocabulary=["red", "green", "blue"])
onehot = layers.CategoryEncoding(num_tokens=4, output_mode="one_hot")
hidden, out = layers.Dense(8, activation="relu"), layers.Dense(1)
tag_table = tf.Variable(tf.random.normal((10, 3), seed=1))
wide = tf.Variable(tf.zeros((12, 1)))
opt = tf.keras.optimizers.SGD(0.1)


def forward():
    bags = tf.reduce_mean(tf.ragged.map_flat_values(lambda ids: tf.nn.embedding_lookup(tag_table, ids), tags), axis=1)
    deep = tf.concat([normalise(age), onehot(lookup(colour)), bags], axis=1)
    return out(hidden(deep)) + tf.sparse.sparse_dense_matmul(sparse, wide)


forward()
weights = hidden.trainable_variables + out.trainable_variables + [tag_table, wide]
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=forward()))
    grads = tape.gradient(loss, weights)
    for grad, weight in zip(grads, weights):
        weight.assign_sub(0.1 * tf.convert_to_tensor(grad))
    losses.append(float(loss))
print(losses[-1] < losses[0], len(grads))
