"""All gradients are computed, and by a slice only those of the last layer are applied."""

import tensorflow as tf
from tensorflow import keras
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
opt = keras.optimizers.Adam(1e-2)
x = tf.random.normal((32, 4)); y = tf.reduce_sum(x, 1, keepdims=True)
for i in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads[-2:], model.trainable_variables[-2:]))
