"""SmoothGrad and gradient times input for an 8-bit picture, which is made float before it is watched."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(25)
SIDE, CLASSES = 12, 4


def build_classifier():
    inputs = keras.Input((SIDE, SIDE, 3))
    x = layers.Conv2D(6, 3, activation="elu")(inputs)
    x = layers.Conv2D(6, 3, activation="elu", name="last_conv")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(CLASSES)(x))


def load_picture(seed):
    """A picture with values from 0 to 255."""
    pixels = np.random.default_rng(seed).integers(0, 256, size=(1, SIDE, SIDE, 3))
    return tf.constant(pixels, tf.float32)


def preprocess(picture):
    return tf.cast(picture, tf.float32) / 127.5 - 1.0


class Explainer:
    def __init__(self, model):
        self.model = model

    def top_class(self, picture):
        return int(tf.argmax(self.model(preprocess(picture))[0]))

    def gradient(self, picture, index):
        """The gradient of one class's score in the pixels."""
        with tf.GradientTape() as tape:
            tape.watch(picture)
            score = self.model(preprocess(picture))[:, index]
        return tape.gradient(score, picture)

    def smooth_gradient(self, picture, index, copies=4, spread=0.1):
        """The mean gradient over noisy copies of the preprocessed picture."""
        ready = preprocess(picture)
        total = tf.zeros_like(ready)
        for seed in range(copies):
            noisy = ready + spread * tf.random.stateless_normal(tf.shape(ready), seed=[seed, 1])
            with tf.GradientTape() as tape:
                tape.watch(noisy)
                score = self.model(noisy)[:, index]
            total += tape.gradient(score, noisy)
        return total / copies

    def gradient_times_input(self, picture, index):
        return self.gradient(picture, index) * preprocess(picture)


def as_heat_map(attribution):
    heat = tf.reduce_max(tf.abs(attribution), axis=-1)[0]
    return heat / (tf.reduce_max(heat) + 1e-9)


def main():
    explainer = Explainer(build_classifier())
    picture = load_picture(seed=26)
    index = explainer.top_class(picture)
    smooth = as_heat_map(explainer.smooth_gradient(picture, index))
    print("smooth gradient", smooth.shape, "brightest", float(tf.reduce_max(smooth)) > 0.99)
    product = as_heat_map(explainer.gradient_times_input(picture, index))
    print("gradient times input", product.shape, "brightest", float(tf.reduce_max(product)) > 0.99)


if __name__ == "__main__":
    main()
