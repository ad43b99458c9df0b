# requires: keras3
"""Layers learn from data: one is part of the model, one prepares words, one only lends its numbers to another."""

import keras
import numpy as np

x = np.random.default_rng(3).normal(5.0, 3.0, size=(64, 4)).astype("float32")
inner = keras.layers.Normalization()
inner.adapt(x)
lender = keras.layers.Normalization()
lender.adapt(x)
borrower = keras.layers.Normalization(mean=np.ravel(lender.mean), variance=np.ravel(lender.variance))
words = keras.layers.StringLookup()
words.adapt(["a", "b", "b"])
print(words(["b"]).shape, borrower(x[:2]).shape)
model = keras.Sequential([keras.Input((4,)), inner, keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
