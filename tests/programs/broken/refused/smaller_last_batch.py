"""The rows of a batch are paired with each other, as if each batch had as many; the last one has fewer."""
import numpy as np
import tensorflow as tf

ROWS = 8


def pairs(codes):
    return tf.reshape(codes, [ROWS // 2, 2, -1])  # why: TW701


def distance(model, x):
    first, second = tf.unstack(pairs(model(x)), axis=1)
    return tf.reduce_mean(tf.square(first - second))


rows = np.random.default_rng(0).normal(size=(21, 3)).astype("float32")
data = tf.data.Dataset.from_tensor_slices(rows).shuffle(21).batch(ROWS).prefetch(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, use_bias=False)])
for x in data:
    with tf.GradientTape() as tape:
        loss = distance(model, x)
    for gradient, variable in zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables):
        variable.assign_sub(0.1 * gradient)
