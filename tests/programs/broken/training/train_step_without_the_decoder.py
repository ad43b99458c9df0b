"""A training step of one's own that updates the encoder and leaves the decoder as it is."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class AutoEncoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([keras.layers.Dense(4, activation="tanh")])
        self.decoder = keras.Sequential([keras.layers.Dense(5)])
        self.total = keras.metrics.Mean(name="loss")

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, data):
        x = data[0] if isinstance(data, tuple) else data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - x))
        variables = self.encoder.trainable_variables  # why: TW116
        grads = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(grads, variables))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


x = np.random.default_rng(0).normal(size=(64, 5)).astype("float32")
model = AutoEncoder()
model.compile(optimizer=keras.optimizers.Adam(0.01))
model.fit(x, epochs=3, batch_size=16, verbose=0)
