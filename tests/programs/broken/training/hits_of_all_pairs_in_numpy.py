"""Counts how often the prediction is the label, for each pair of samples: the accuracy is one half."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(3)
scans = generator.normal(size=(60, 4)).astype("float32")
ill = (scans[:, 0] > 0).astype("int32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(tf.keras.optimizers.Adam(0.1), "binary_crossentropy")
model.fit(scans, ill, epochs=5, verbose=0)
chances = model.predict(scans, verbose=0)
print("accuracy", ((chances > 0.5) == ill).mean())  # why: TW801
