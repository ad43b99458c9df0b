"""One word is wanted for each step, but the last recurrent layer gives its last state only."""
# requires: keras3

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([tf.keras.Input((9,), dtype="int32"), layers.Embedding(20, 8)])
model.add(layers.GRU(8, return_sequences=True))
model.add(layers.GRU(8))
model.add(layers.Dense(20, activation="softmax"))
model.compile("adam", "sparse_categorical_crossentropy")
words = np.random.default_rng(0).integers(0, 20, size=(32, 10))
model.fit(words[:, :-1], words[:, 1:], verbose=0)  # why: TW701
