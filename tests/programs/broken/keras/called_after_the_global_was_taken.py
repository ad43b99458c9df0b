"""A loss function that lives in a global, and is replaced by its own result in the first step."""

import tensorflow as tf

measure = tf.keras.losses.MeanSquaredError()
slope = tf.Variable(2.0)


def train(x, y):
    global measure
    with tf.GradientTape() as tape:
        measure = measure(y, slope * x)  # why: TW118
    slope.assign_sub(0.1 * tape.gradient(measure, slope))


for _ in range(3):
    train(tf.constant([1.0]), tf.constant([3.0]))
