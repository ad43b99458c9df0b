"""Metrics that are no mean over samples, and still do not depend on how many samples a batch has."""

import numpy as np
import tensorflow as tf


def f1(wanted, given):
    picked = tf.round(given)
    hits = tf.reduce_sum(wanted * picked)
    return 2.0 * hits / (tf.reduce_sum(wanted) + tf.reduce_sum(picked) + 1e-7)


def root(wanted, given):
    return tf.sqrt(tf.reduce_mean(tf.square(wanted - given)))


def absolute(wanted, given):
    return tf.abs(wanted - given)


def rate(wanted, given):
    return optimizer.learning_rate


generator = np.random.default_rng(0)
points = generator.normal(size=(96, 4)).astype("float32")
inside = (points[:, 0] > 0).astype("float32")
optimizer = tf.keras.optimizers.Adam(0.05)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer, "binary_crossentropy", metrics=[f1, root, absolute, rate])
model.fit(points, inside, epochs=4, batch_size=16, verbose=0)
print(len(model.evaluate(points, inside, batch_size=48, verbose=0)))
