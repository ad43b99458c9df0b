import numpy as np
import tensorflow as tf


def quantise(x, bits=4):
    levels = 2**bits - 1
    return tf.round(tf.clip_by_value(x, 0.0, 1.0) * levels) / levels  # why: TW106


def build():
    inputs = tf.keras.Input((6,))
    x = tf.keras.layers.Dense(8)(inputs)
    x = tf.keras.layers.Lambda(quantise)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(2, activation="softmax")(x))


model = build()
model.compile("adam", "sparse_categorical_crossentropy")
rng = np.random.default_rng(0)
model.fit(rng.normal(size=(32, 6)), rng.integers(0, 2, 32), epochs=2, verbose=0)
