"""Tells shells from stones. The pictures for validation are not in batches."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
pictures = generator.random((24, 6, 6, 1)).astype("float32")
kinds = generator.integers(0, 2, size=(24, 1)).astype("float32")
training = tf.data.Dataset.from_tensor_slices((pictures[:16], kinds[:16])).batch(8)
validation = tf.data.Dataset.from_tensor_slices((pictures[16:], kinds[16:]))

picture = tf.keras.Input((6, 6, 1))
filtered = tf.keras.layers.Conv2D(2, 3, activation="relu")(picture)
kind = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.GlobalAveragePooling2D()(filtered))
model = tf.keras.Model(picture, kind)
model.compile("sgd", "binary_crossentropy")
model.fit(training, validation_data=validation, epochs=2, verbose=0)  # why: TW804
