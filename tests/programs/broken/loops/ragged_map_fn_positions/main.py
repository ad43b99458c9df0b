"""Predict a score from nothing but the lengths of sentences."""

import numpy as np
import tensorflow as tf
from encoding import PositionFeatures


class Scorer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.features = PositionFeatures()
        self.readout = tf.keras.layers.Dense(1)

    def call(self, lengths):
        return self.readout(self.features(lengths))


def train():
    lengths = np.array([[3], [5], [2], [4]], dtype="int32")
    scores = np.array([[0.1], [0.4], [0.0], [0.2]], dtype="float32")
    model = Scorer()
    model.compile(optimizer="sgd", loss="mse")
    model.fit(lengths, scores, batch_size=4, epochs=1, shuffle=False, verbose=0)


train()
