# requires: tf>=2.16
"""A perceptual loss takes its features with `model.predict`, which returns NumPy arrays: the image gets None.

Called as `features(picture)`, the same network passes the gradient on and the loss falls.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(39)
rng = np.random.default_rng(39)

inputs = keras.Input((12, 12, 3))
x = keras.layers.Conv2D(6, 3, activation="relu")(inputs)
x = keras.layers.Conv2D(6, 3, activation="relu", name="features")(x)
features = keras.Model(inputs, x)
features.trainable = False

target = rng.uniform(size=(1, 12, 12, 3)).astype("float32")
wanted = features.predict(target, verbose=0)
image = tf.Variable(rng.uniform(size=(1, 12, 12, 3)).astype("float32"))
optimizer = keras.optimizers.Adam(0.02)


def perceptual_loss(picture):
    seen = features.predict(picture.numpy(), verbose=0)  # why: TW110
    return tf.reduce_mean(tf.square(seen - wanted))


for step in range(3):
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = perceptual_loss(tf.clip_by_value(image, 0.0, 1.0))
    gradient = tape.gradient(loss, image)
    optimizer.apply_gradients([(gradient, image)])
    print(step, round(float(loss), 5))
