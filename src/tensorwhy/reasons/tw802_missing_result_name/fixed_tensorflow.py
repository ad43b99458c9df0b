"""Learns to tell ripe fruit, and stops when it no longer gets better: by the name that the metric has."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
fruit = generator.normal(size=(64, 4)).astype("float32")
ripe = (fruit[:, :1] > 0).astype("float32")

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
stop = tf.keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="max", patience=1)
history = model.fit(fruit, ripe, validation_split=0.25, epochs=4, callbacks=[stop], verbose=0)
print(sorted(history.history))
assert stop.monitor in history.history
