"""Unfreezes the body without its batch normalization, whose statistics stay what the head knows."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
generator = np.random.default_rng(0)
layers = tf.keras.layers

body = tf.keras.Sequential(
    [tf.keras.Input((12,)), layers.Dense(32), layers.BatchNormalization(momentum=0.9), layers.ReLU()], name="body"
)
known = generator.normal(size=(800, 12)).astype("float32")
first = tf.keras.Sequential([body, layers.Dense(4, activation="softmax")])
first.compile(tf.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
first.fit(known, known[:, :4].argmax(axis=1), epochs=3, verbose=0)

shifted = 3.0 * generator.normal(size=(64, 12)).astype("float32") + 2.0
above = (shifted[:, 0] > shifted[:, 1]).astype("float32")
body.trainable = False
model = tf.keras.Sequential([body, layers.Dense(1, activation="sigmoid")])
model.compile(tf.keras.optimizers.Adam(0.05), "binary_crossentropy")
model.fit(shifted, above, batch_size=4, epochs=20, verbose=0)

body.trainable = True
body.layers[1].trainable = False
kept = body.layers[1].moving_mean.numpy()
model.compile(tf.keras.optimizers.Adam(1e-5), "binary_crossentropy")
model.fit(shifted, above, batch_size=4, epochs=2, verbose=0)
assert np.array_equal(kept, body.layers[1].moving_mean.numpy())
