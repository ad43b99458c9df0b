"""Real NVP: coupling layers in a list, alternating masks as an array, log-likelihood in train_step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, regularizers

keras.utils.set_random_seed(29)
x = np.random.default_rng(29).normal(size=(48, 2)).astype("float32")


def coupling(size):
    inputs = keras.Input((size,))
    t = layers.Dense(8, activation="relu", kernel_regularizer=regularizers.l2(0.01))(inputs)
    t = layers.Dense(size, kernel_regularizer=regularizers.l2(0.01))(t)
    s = layers.Dense(8, activation="relu")(inputs)
    return keras.Model(inputs, [layers.Dense(size, activation="tanh")(s), t])


class RealNVP(keras.Model):
    def __init__(self, count):
        super().__init__()
        self.count = count
        self.masks = np.array([[0, 1], [1, 0]] * (count // 2), dtype="float32")
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.layers_list = [coupling(2) for _ in range(count)]

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, x, training=True):
        log_det_inv = 0
        direction = -1 if training else 1
        for i in range(self.count)[::direction]:
            x_masked = x * self.masks[i]
            reversed_mask = 1 - self.masks[i]
            s, t = self.layers_list[i](x_masked)
            s, t = s * reversed_mask, t * reversed_mask
            gate = (direction - 1) / 2
            x = reversed_mask * (x * tf.exp(direction * s) + direction * t * tf.exp(gate * s)) + x_masked
            log_det_inv += gate * tf.reduce_sum(s, [1])
        return x, log_det_inv

    def log_loss(self, x):
        y, logdet = self(x)
        return -tf.reduce_mean(tf.reduce_sum(-0.5 * y**2, axis=1) + logdet)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self.log_loss(data) + sum(self.losses)
        g = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def test_step(self, data):
        self.loss_tracker.update_state(self.log_loss(data))
        return {"loss": self.loss_tracker.result()}


model = RealNVP(4)
model.compile(optimizer=keras.optimizers.Adam(1e-3))
history = model.fit(x, batch_size=16, epochs=2, verbose=0, validation_split=0.25)
print(sorted(history.history), model(tf.zeros((3, 2)), training=False)[0].shape)
