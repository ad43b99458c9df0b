"""A saliency map of the probability of a class that the model is certain of: the softmax is 1 and 0, and flat."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
wide = tf.keras.initializers.RandomNormal(stddev=60.0)
model = tf.keras.Sequential(
    [
        tf.keras.Input((8, 8, 1)),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(5, kernel_initializer=wide),
        tf.keras.layers.Activation(lambda logits: tf.nn.softmax(logits)),  # why: TW202
    ]
)
picture = tf.constant(np.random.default_rng(0).uniform(0, 255, size=(1, 8, 8, 1)), tf.float32)


def saliency(network, image, label):
    with tf.GradientTape() as tape:
        tape.watch(image)
        score = network(image)[:, label]
    return tf.reduce_max(tf.abs(tape.gradient(score, image)), axis=-1)


print(float(tf.reduce_max(saliency(model, picture, int(tf.argmax(model(picture)[0]))))))
