# requires: keras3
"""A training step unpacks inputs and targets, and `fit` was given inputs alone: that is one tensor, and no pair."""

import numpy as np
import tensorflow as tf


class Copier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.code = tf.keras.layers.Dense(4)

    def call(self, features):
        return self.code(features)

    def train_step(self, data):
        features, wanted = data  # why: TW406
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(features, training=True) - features))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        )
        return {"loss": loss}


model = Copier()
model.compile("sgd")
model.fit(np.ones((8, 4), "float32"), verbose=0)
