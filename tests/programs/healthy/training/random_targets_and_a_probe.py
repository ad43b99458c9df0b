"""Random targets that stay fixed, and a probe behind `stop_gradient`: neither is meant to learn."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
target = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3)])
predictor = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3)])
encoder = keras.Sequential([keras.Input((4,)), keras.layers.Dense(5, activation="tanh")])
probe = keras.layers.Dense(1); probe.build((None, 5))
opt = keras.optimizers.Adam(1e-3); opt2 = keras.optimizers.Adam(1e-3)
x = tf.random.normal((32, 4)); y = tf.reduce_sum(x, 1, keepdims=True)
for i in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predictor(x) - target(x)))
    v = predictor.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, v), v))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(probe(tf.stop_gradient(encoder(x))) - y))
    v = probe.trainable_variables
    opt2.apply_gradients(zip(tape.gradient(loss, v), v))
