import numpy as np
import tensorflow as tf


class Tracked(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.losses_seen = []

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.note(loss)
        return {"loss": loss}

    def note(self, loss):
        self.losses_seen.append(loss.numpy())  # why: TW406


model = Tracked()
model.compile("sgd")
x = np.ones((8, 2), "float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
