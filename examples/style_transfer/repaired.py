"""Style transfer that keeps its picture in bounds by assigning the clipped values to the variable."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(27)
SIDE = 16


def picture_of(kind, seed):
    """A synthetic picture: smooth blobs for the content, stripes for the style."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    if kind == "content":
        base = np.exp(-((rows - 0.5) ** 2 + (columns - 0.4) ** 2) * 12)
    else:
        base = 0.5 + 0.5 * np.sin(20 * (rows + columns))
    colours = rng.uniform(0.3, 1.0, size=3)
    return tf.constant((base[..., None] * colours)[None], tf.float32)


class FeatureExtractor:
    """The activations of some layers of a frozen network, and their Gram matrices."""

    def __init__(self, style_layers, content_layer):
        inputs = keras.Input((SIDE, SIDE, 3))
        x = layers.Conv2D(6, 3, activation="relu", padding="same", name="block1")(inputs)
        y = layers.Conv2D(8, 3, strides=2, activation="relu", padding="same", name="block2")(x)
        network = keras.Model(inputs, {"block1": x, "block2": y})
        network.trainable = False
        self.network = network
        self.style_layers, self.content_layer = style_layers, content_layer

    def __call__(self, picture):
        features = self.network(picture)
        style = {name: self.gram(features[name]) for name in self.style_layers}
        return style, features[self.content_layer]

    @staticmethod
    def gram(features):
        product = tf.einsum("bijc,bijd->bcd", features, features)
        return product / tf.cast(tf.shape(features)[1] * tf.shape(features)[2], tf.float32)


class StyleTransfer:
    def __init__(self, content, style, style_weight=10.0, smoothness=1e-4):
        self.extractor = FeatureExtractor(["block1", "block2"], "block2")
        self.style_targets = self.extractor(style)[0]
        self.content_target = self.extractor(content)[1]
        self.style_weight, self.smoothness = style_weight, smoothness
        self.optimizer = keras.optimizers.Adam(0.02)

    def loss(self, picture):
        style, content = self.extractor(picture)
        style_loss = tf.add_n([tf.reduce_mean((style[n] - self.style_targets[n]) ** 2) for n in style])
        content_loss = tf.reduce_mean((content - self.content_target) ** 2)
        rough = tf.reduce_sum(tf.image.total_variation(picture))
        return self.style_weight * style_loss + content_loss + self.smoothness * rough

    def step(self, picture):
        with tf.GradientTape() as tape:
            loss = self.loss(picture)
        self.optimizer.apply_gradients([(tape.gradient(loss, picture), picture)])
        return float(loss)

    def run(self, content, steps):
        picture = tf.Variable(content)
        for step in range(steps):
            loss = self.step(picture)
            picture.assign(tf.clip_by_value(picture, 0.0, 1.0))
            print(f"step {step}: loss {loss:.5f}")
        return picture


def main():
    content, style = picture_of("content", seed=28), picture_of("style", seed=29)
    picture = StyleTransfer(content, style).run(content, steps=5)
    print("in bounds:", bool(tf.reduce_all((picture >= 0.0) & (picture <= 1.0))))


if __name__ == "__main__":
    main()
