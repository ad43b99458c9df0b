"""Learns to tell ripe fruit, and stops when it no longer gets better: by a name that the metric does not have."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
fruit = generator.normal(size=(64, 4)).astype("float32")
ripe = (fruit[:, :1] > 0).astype("float32")

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
stop = tf.keras.callbacks.EarlyStopping(monitor="val_acc", mode="max", patience=1)  # why: TW802
history = model.fit(fruit, ripe, validation_split=0.25, epochs=4, callbacks=[stop], verbose=0)
print(sorted(history.history))
