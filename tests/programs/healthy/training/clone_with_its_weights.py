"""A trained encoder is cloned with its weights, and the clone is frozen."""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
x = np.random.default_rng(0).random((32, 4)).astype("float32")
encoder = tf.keras.Sequential([tf.keras.Input((4,)), layers.Dense(3, activation="tanh")])
whole = tf.keras.Sequential([encoder, layers.Dense(4)])
whole.compile("sgd", "mse")
whole.fit(x, x, verbose=0)


def classifier(part):
    part.trainable = False
    return tf.keras.Sequential([part, layers.Dense(1)])


copy = tf.keras.models.clone_model(encoder)
copy.set_weights(encoder.get_weights())
model = classifier(copy)
model.compile("sgd", "mse")
model.fit(x, x[:, :1], verbose=0)
