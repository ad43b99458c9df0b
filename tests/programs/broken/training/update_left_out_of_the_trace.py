"""Each third batch should update the weights; which one it is, was decided once, while the step was traced."""
import keras
import numpy as np
import tensorflow as tf


class EveryThird(keras.Model):
    def __init__(self):
        super().__init__()
        self.out = keras.layers.Dense(1)
        self.seen = 0

    def call(self, x):
        return self.out(x)

    def descend(self, tape, loss):
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        self.seen += 1
        if self.seen % 3 == 0:  # why: TW122
            self.descend(tape, loss)
        return {"loss": loss}


x = np.linspace(-1, 1, 96, dtype="float32")[:, None]
model = EveryThird()
model.compile("sgd")
model.fit(x, 2 * x, batch_size=8, epochs=2, verbose=0)
