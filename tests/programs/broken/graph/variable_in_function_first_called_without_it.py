"""The running mean is created in the training path, but the function was first called for evaluation."""

import tensorflow as tf


class Normalizer(tf.Module):
    def __init__(self):
        self.mean = None

    @tf.function
    def normalize(self, x, training):
        if not training:
            return x / tf.norm(x)
        if self.mean is None:
            self.mean = tf.Variable(tf.zeros([3]), trainable=False)  # why: TW408
        self.mean.assign(0.9 * self.mean + 0.1 * tf.reduce_mean(x, axis=0))
        return x - self.mean


normalizer = Normalizer()
print(normalizer.normalize(tf.ones([2, 3]), training=False))
print(normalizer.normalize(tf.ones([2, 3]), training=True))
