"""A model is cloned to keep it, and the new one is built from its own layers all the same."""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers


def with_a_new_head(model):
    return tf.keras.Sequential([*model.layers[:-1], layers.Dense(1)])  # why: TW117


x = np.random.default_rng(0).random((32, 4)).astype("float32")
original = tf.keras.Sequential([tf.keras.Input((4,)), layers.Dense(8, activation="tanh"), layers.Dense(3)])
original.compile("sgd", "mse")
original.fit(x, x[:, :3], verbose=0)

copy = tf.keras.models.clone_model(original)
copy.set_weights(original.get_weights())
other = with_a_new_head(original)
other.compile("sgd", "mse")
other.fit(x, x[:, 3:], verbose=0)
print(original.evaluate(x, x[:, :3], verbose=0))
