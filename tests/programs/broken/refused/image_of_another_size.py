"""The pictures are read at one size, and the model, which has a name of its own, is built for another one."""

import numpy as np
import tensorflow as tf

SIZE = 24


def pictures():
    images = np.random.default_rng(1).normal(size=(8, 20, 20, 3)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((images, np.arange(8) % 2)).batch(4)


def classifier():
    image = tf.keras.Input((SIZE, SIZE, 3), name="picture")
    flat = tf.keras.layers.Flatten()(tf.keras.layers.Conv2D(2, 3)(image))
    return tf.keras.Model(image, tf.keras.layers.Dense(2)(flat), name="small_net")


model = classifier()
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(pictures(), epochs=1, verbose=0)  # why: TW701
