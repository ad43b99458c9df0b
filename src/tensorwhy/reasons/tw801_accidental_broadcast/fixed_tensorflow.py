"""Predicts the yield of fields from rain and sun. The yields have an axis of their own, as the predictions have."""

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
weather = generator.normal(size=(96, 2)).astype("float32")
yields = (weather @ np.array([2.0, -1.0], "float32") + 3.0).astype("float32")
fields = tf.data.Dataset.from_tensor_slices((weather, yields)).batch(32)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train(inputs, measured):
    with tf.GradientTape() as tape:
        predicted = model(inputs, training=True)
        error = measured[:, tf.newaxis] - predicted
        loss = tf.reduce_mean(tf.square(error))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss, error


for epoch in range(3):
    for inputs, measured in fields:
        loss, error = train(inputs, measured)
    print(epoch, float(loss))
assert error.shape == (32, 1)
