"""Padded steps with targets of zeros that are masked, weighted with 0, or have no metric that counts them."""
import numpy as np
import tensorflow as tf

ids = np.random.default_rng(0).integers(1, 9, size=(16, 6)).astype("int32")
ids[:, 4:] = 0
targets = np.eye(3, dtype="float32")[ids % 3] * (ids > 0)[..., None]


def tagger(mask):
    return tf.keras.Sequential(
        [
            tf.keras.Input((6,), dtype="int32"),
            tf.keras.layers.Embedding(9, 4, mask_zero=mask),
            tf.keras.layers.Dense(3, activation="softmax"),
        ]
    )


masked = tagger(True)
masked.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
masked.fit(ids, targets, epochs=2, verbose=0)
weighted = tagger(False)
weighted.compile("adam", "categorical_crossentropy", weighted_metrics=["accuracy"])
weighted.fit(ids, targets, sample_weight=(ids > 0).astype("float32"), epochs=2, verbose=0)
plain = tagger(False)
plain.compile("adam", "categorical_crossentropy")
plain.fit(ids, targets, epochs=2, verbose=0)
full = tagger(False)
full.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
full.fit(ids, np.eye(3, dtype="float32")[ids % 3], epochs=2, verbose=0)
