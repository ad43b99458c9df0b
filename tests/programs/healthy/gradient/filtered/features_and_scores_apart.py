"""Class activation maps of a detector: the forward pass is compiled and hands out the features and the scores."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(6)


class Detector(keras.Model):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = keras.layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")
        self.block = keras.layers.Conv2D(12, 3, strides=2, padding="same", activation="relu")
        self.pool = keras.layers.GlobalAveragePooling2D()
        self.scores = keras.layers.Dense(classes)

    def features(self, images):
        return self.block(self.stem(images))

    def judge(self, features):
        return self.scores(self.pool(features))

    def call(self, images):
        return self.judge(self.features(images))


class Explainer:
    def __init__(self, detector):
        self.detector = detector
        self.extract = tf.function(detector.features, reduce_retracing=True)
        self.judge = tf.function(detector.judge, reduce_retracing=True)

    def heatmap(self, image, label):
        with tf.GradientTape() as tape:
            features = self.extract(image[None])
            tape.watch(features)
            scores = self.judge(features)
            wanted = scores[:, label]
        slopes = tape.gradient(wanted, features)
        if slopes is None:
            return None
        weights = tf.reduce_mean(slopes, axis=(1, 2), keepdims=True)
        heat = tf.nn.relu(tf.reduce_sum(weights * features, axis=-1))[0]
        return heat / (tf.reduce_max(heat) + 1e-9)


rng = np.random.default_rng(5)
images = tf.constant(rng.uniform(size=(3, 32, 32, 3)), tf.float32)
explainer = Explainer(Detector())
for number, image in enumerate(images):
    heat = explainer.heatmap(image, label=number)
    print(number, "no heatmap" if heat is None else f"heat {float(tf.reduce_mean(heat)):.3f}")
