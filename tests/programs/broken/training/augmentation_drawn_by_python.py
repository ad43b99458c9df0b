import random

import numpy as np
import tensorflow as tf


def jitter(shape):
    return np.random.normal(0.0, 0.1, size=shape).astype("float32")  # why: TW122


class Augment:
    def __init__(self, probability, seed):
        self.probability = probability
        self.random = random.Random(seed)

    def __call__(self, image, label):
        return self.flipped(image), label

    def flipped(self, image):
        if self.random.random() < self.probability:  # why: TW122
            image = tf.reverse(image, [1])
        return image


class Smooth(tf.keras.layers.Layer):
    """Noise on the labels' side: the numbers are meant to differ from batch to batch."""

    def call(self, x):
        noise = jitter((4,))
        return x + noise


random.seed(3)
np.random.seed(3)
tf.random.set_seed(3)
images = np.random.rand(16, 2, 2, 1).astype("float32")
data = tf.data.Dataset.from_tensor_slices((images, images.mean((1, 2, 3)))).map(Augment(0.9, seed=1)).batch(4)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), Smooth(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2, verbose=0)
