"""A picture of 0 to 255 is scaled before it is clipped on its way into an attack."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential([tf.keras.Input((6, 6, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
picture = tf.constant(np.random.default_rng(0).integers(2, 256, size=(1, 6, 6, 3)), tf.float32)


def prepared(image):
    return tf.clip_by_value(image / 255.0, 0.0, 1.0)


with tf.GradientTape() as tape:
    tape.watch(picture)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits([1], model(prepared(picture)))
signs = tf.sign(tape.gradient(loss, picture))
print(float(tf.reduce_sum(tf.abs(signs))))
