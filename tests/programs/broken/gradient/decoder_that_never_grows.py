"""A decoder whose second block is meant to join after some steps: the stage is never advanced, and Keras warns."""

import numpy as np
import tensorflow as tf


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.small = self.block(8, 3)
        self.large = self.block(8, 8)
        self.head = tf.keras.layers.Dense(1)
        self.large.build((None, 8))
        self.stage = 0

    @staticmethod
    def block(units, inputs):
        return tf.keras.Sequential(
            [tf.keras.layers.InputLayer((inputs,)), tf.keras.layers.Dense(units), tf.keras.layers.ReLU()]
        )

    def call(self, x):
        x = self.small(x)
        if self.stage >= 1:  # why: TW114
            x = self.large(x)
        return self.head(x)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def step(self, batch):
        noise = np.random.normal(scale=0.1, size=(len(batch), 1)).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(batch) - noise) ** 2)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


def train(trainer, batches):
    for number, batch in enumerate(batches):
        loss = trainer.step(batch)
        print("step {} loss {:.1f}".format(number, loss.numpy()))


np.random.seed(0)
tf.random.set_seed(0)
decoder = Trainer(Decoder())
train(decoder, np.random.normal(size=(4, 8, 3)).astype("float32"))
