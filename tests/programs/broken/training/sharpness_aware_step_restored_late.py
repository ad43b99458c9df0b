"""Sharpness-aware minimisation in `train_step`: the weights are put back after the optimizer has changed them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class SAM(keras.Model):
    def __init__(self, net, rho=0.05):
        super().__init__()
        self.net, self.rho = net, rho

    def call(self, x, training=False):
        return self.net(x, training=training)

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self.net(x, training=True)))
        return loss, tape.gradient(loss, self.net.trainable_variables)

    def train_step(self, data):
        x, y = data
        variables = self.net.trainable_variables
        before = [tf.identity(v) for v in variables]
        loss, grads = self.gradients(x, y)
        norm = tf.linalg.global_norm(grads) + 1e-12
        for v, g in zip(variables, grads):
            v.assign_add(self.rho * g / norm)
        _, sharp = self.gradients(x, y)
        self.optimizer.apply_gradients(zip(sharp, variables))
        for v, old in zip(variables, before):
            v.assign(old)  # why: TW604
        return {"loss": loss}


keras.utils.set_random_seed(11)
rng = np.random.default_rng(11)
x = rng.normal(size=(64, 6)).astype("float32")
y = x[:, :1] - 2 * x[:, 1:2]
net = keras.Sequential([keras.Input((6,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(1)])
model = SAM(net)
model.compile(optimizer=keras.optimizers.Adam(1e-2))
history = model.fit(x, y, batch_size=16, epochs=3, verbose=0)
print(history.history["loss"])
