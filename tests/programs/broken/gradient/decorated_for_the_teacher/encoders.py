import tensorflow as tf
from gradients import no_grad


class Encoder(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.net = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(width)])

    @no_grad
    def encode(self, x):
        return self.net(x)
