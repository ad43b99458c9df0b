"""Tunes a body that was frozen, batch normalization included: the data are like those it knows, and batches large."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
generator = np.random.default_rng(0)
layers = tf.keras.layers
body = tf.keras.Sequential([tf.keras.Input((8,)), layers.Dense(16), layers.BatchNormalization(momentum=0.5), layers.ReLU()])
known = generator.normal(size=(512, 8)).astype("float32")
first = tf.keras.Sequential([body, layers.Dense(3, activation="softmax")])
first.compile(tf.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
first.fit(known, known[:, :3].argmax(axis=1), epochs=4, batch_size=64, verbose=0)

above = (known[:, 0] > 0).astype("float32")
body.trainable = False
model = tf.keras.Sequential([body, layers.Dense(1, activation="sigmoid")])
model.compile(tf.keras.optimizers.Adam(0.02), "binary_crossentropy")
model.fit(known, above, epochs=4, batch_size=128, verbose=0)
body.trainable = True
model.compile(tf.keras.optimizers.Adam(1e-4), "binary_crossentropy")
history = model.fit(known, above, epochs=2, batch_size=128, verbose=0)
print(len(history.history["loss"]))
