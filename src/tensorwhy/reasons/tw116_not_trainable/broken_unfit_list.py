"""Asks for the gradient of all variables of a model: the moving statistics of its normalisation are among them."""

import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)]
)
batch = tf.random.normal((16, 3))
wanted = tf.reduce_sum(batch, axis=1, keepdims=True)

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - wanted))
    parameters = model.weights  # why: TW116
    gradients = tape.gradient(loss, parameters)
    for parameter, gradient in zip(parameters, gradients):
        parameter.assign_sub(0.05 * gradient)
