"""A layer that scales its input in training only."""

import tensorflow as tf


@tf.function
def scaled(x, noisy):
    if noisy:  # why: TW504
        factor = 1.0 + 0.1 * tf.random.normal([])
    return x * factor


class Scale(tf.keras.layers.Layer):
    def call(self, x):
        noisy = tf.reduce_mean(x) > 0.5
        return scaled(x, noisy)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.readout = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.readout(self.scale(x))


net = Net()
net.compile(optimizer="sgd", loss="mse")
net.fit(tf.ones([8, 3]), tf.zeros([8, 1]), epochs=1, verbose=0)
