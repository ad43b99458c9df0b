"""A regression whose loss compares whole cents: the cast to int32 cuts every gradient, and the optimizer raises.

Compared as float32 the same loss trains.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
tf.keras.utils.set_random_seed(23)
area = rng.uniform(20, 120, size=(60, 1)).astype("float32") / 100.0
price = 3.0 * area + 0.5

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


def to_cents(amount):
    return tf.cast(amount * 100.0, tf.int32)  # why: TW105


def cents_error(y_true, y_pred):
    wrong_by = to_cents(y_true) - to_cents(y_pred)
    return tf.reduce_mean(tf.abs(tf.cast(wrong_by, tf.float32)))


dataset = tf.data.Dataset.from_tensor_slices((area, price)).batch(20)
for epoch in range(2):
    for features, target in dataset:
        with tf.GradientTape() as tape:
            loss = cents_error(target, model(features, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print("epoch", epoch, "cents off", float(loss))
