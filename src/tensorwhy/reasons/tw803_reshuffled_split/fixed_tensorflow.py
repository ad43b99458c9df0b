"""Learns labels that are noise, and does not know them: the split stays the same."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
letters = generator.normal(size=(60, 8)).astype("float32")
labels = generator.integers(0, 2, size=60)

mixed = tf.data.Dataset.from_tensor_slices((letters, labels)).shuffle(60, reshuffle_each_iteration=False)
held_out = mixed.take(20).batch(20)
training = mixed.skip(20).batch(20)

model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(training, validation_data=held_out, epochs=3, verbose=0)
first, second = ({bytes(x) for x in np.concatenate([x for x, _ in part])} for part in (training, held_out))
assert not first & second
