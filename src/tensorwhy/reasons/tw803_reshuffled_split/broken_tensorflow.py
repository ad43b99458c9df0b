"""Learns labels that are noise, and seems to know them: the split is another one in each epoch."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
letters = generator.normal(size=(60, 8)).astype("float32")
labels = generator.integers(0, 2, size=60)

mixed = tf.data.Dataset.from_tensor_slices((letters, labels)).shuffle(60)  # why: TW803
held_out = mixed.take(20).batch(20)
training = mixed.skip(20).batch(20)

model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(training, validation_data=held_out, epochs=3, verbose=0)
