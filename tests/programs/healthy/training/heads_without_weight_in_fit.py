"""A head whose loss has the weight 0 in one phase stands still, and so does a row of an embedding nobody looks up."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def build():
    words = tf.keras.Input((4,), dtype="int32")
    x = layers.Flatten()(layers.Embedding(12, 3)(words))
    x = layers.Dense(8, activation="relu")(x)
    return tf.keras.Model(words, [layers.Dense(1, name="price")(x), layers.Dense(1, activation="relu", name="age")(x)])


def train(model, weights, words, targets):
    model.compile(optimizer="sgd", loss=["mse", "mse"], loss_weights=weights)
    model.fit(words, targets, epochs=2, batch_size=8, verbose=0)


tf.keras.utils.set_random_seed(4)
rng = np.random.RandomState(0)
words = rng.randint(0, 6, size=(40, 4))
targets = [words.sum(axis=1, keepdims=True) / 10.0, words.max(axis=1, keepdims=True) / 5.0]
model = build()
train(model, [1.0, 0.0], words, targets)
train(model, [1.0, 1.0], words, targets)
