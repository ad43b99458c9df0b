"""What is done to each picture is decided by numbers that a helper draws while the function is traced."""

import random

import tensorflow as tf


def coins(count):
    return [random.random() for _ in range(count)]  # why: TW122


def augment(picture):
    first, second = coins(2)
    if first < 0.5:
        picture = tf.image.flip_left_right(picture)
    if second < 0.9:
        picture = picture + 0.1
    return picture


pictures = tf.random.uniform((32, 8, 8, 3))
data = tf.data.Dataset.from_tensor_slices(pictures).map(augment).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data.map(lambda x: (x, tf.reduce_mean(x, axis=(1, 2, 3)))), epochs=2, verbose=0)
