"""The labels come from a dataset, one column for each folder, and the model was built for fewer."""

import numpy as np
import tensorflow as tf

FOLDERS = ("bath", "hall", "kitchen", "office")


def rooms():
    labels = np.eye(len(FOLDERS), dtype="float32")[np.arange(12) % len(FOLDERS)]
    return tf.data.Dataset.from_tensor_slices((np.ones((12, 5), "float32"), labels)).batch(4)


def classifier(classes):
    given = tf.keras.Input((5,))
    return tf.keras.Model(given, tf.keras.layers.Dense(classes, activation="softmax")(given))


model = classifier(3)
model.compile("sgd", loss="categorical_crossentropy")
model.fit(rooms(), epochs=2, verbose=0)  # why: TW701
