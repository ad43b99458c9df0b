"""DeepDream as a tf.Module with an input signature, gradient ascent in a graph loop, octaves and tiles."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
base = tf.keras.Sequential(
    [tf.keras.layers.Conv2D(4, 3, activation="relu", padding="same"), tf.keras.layers.Conv2D(6, 3, activation="relu")]
)
base(tf.zeros([1, 16, 16, 3]))


def calc_loss(img, model):
    activations = model(tf.expand_dims(img, axis=0))
    return tf.reduce_sum([tf.math.reduce_mean(part) for part in tf.split(activations, 2, axis=-1)])


class DeepDream(tf.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    @tf.function(
        input_signature=(
            tf.TensorSpec(shape=[None, None, 3], dtype=tf.float32),
            tf.TensorSpec(shape=[], dtype=tf.int32),
            tf.TensorSpec(shape=[], dtype=tf.float32),
        )
    )
    def __call__(self, img, steps, step_size):
        loss = tf.constant(0.0)
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                tape.watch(img)
                loss = calc_loss(img, self.model)
            gradients = tape.gradient(loss, img)
            gradients /= tf.math.reduce_std(gradients) + 1e-8
            img = img + gradients * step_size
            img = tf.clip_by_value(img, -1, 1)
        return loss, img


dream = DeepDream(base)
img = tf.constant(np.random.default_rng(4).uniform(-1, 1, size=(16, 16, 3)).astype("float32"))
first, _ = dream(img, 1, 0.0)
for octave in range(-1, 2):
    size = int(16 * 1.3**octave)
    img = tf.image.resize(img, (size, size))
    loss, img = dream(img, tf.constant(3), tf.constant(0.05))
    print(octave, img.shape, bool(loss > first))
