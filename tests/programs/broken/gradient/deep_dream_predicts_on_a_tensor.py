# requires: tf<=2.12
"""Deep dream calls `model.predict` on a watched tensor inside the tape: on these versions it raises LookupError.

The complaint is about `IteratorGetNext`, which is how `predict` feeds itself; called as `model(picture)` the gradient
exists.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(95)
rng = np.random.default_rng(95)

inputs = tf.keras.Input((8, 8, 3))
x = tf.keras.layers.Conv2D(4, 3, activation="relu")(inputs)
x = tf.keras.layers.Conv2D(4, 3, activation="relu", name="mixed")(x)
model = tf.keras.Model(inputs, x)


def dream_loss(picture):
    activations = model.predict(picture, verbose=0)  # why: TW110
    return tf.reduce_mean(activations)


picture = tf.constant(rng.uniform(size=(1, 8, 8, 3)), tf.float32)
for step in range(3):
    with tf.GradientTape() as tape:
        tape.watch(picture)
        loss = dream_loss(picture)
    gradient = tape.gradient(loss, picture)
    gradient /= tf.math.reduce_std(gradient) + 1e-8
    picture = tf.clip_by_value(picture + 0.01 * gradient, 0.0, 1.0)
    print(step, round(float(loss), 5))
