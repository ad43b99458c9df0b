"""One persistent tape answers for two losses and for the input, then it is deleted."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(133)
rng = np.random.default_rng(133)
x = tf.constant(rng.normal(size=(20, 4)), tf.float32)
shared = tf.keras.layers.Dense(6, activation="relu")
mean, spread = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1, activation="softplus")
y = tf.reduce_sum(x, axis=1, keepdims=True)

with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    h = shared(x)
    m, s = mean(h), spread(h) + 0.1
    fit_loss = tf.reduce_mean((m - y) ** 2)
    likelihood = tf.reduce_mean(tf.math.log(s) + 0.5 * ((tf.stop_gradient(m) - y) / s) ** 2)

print([tuple(g.shape) for g in tape.gradient(fit_loss, shared.trainable_variables + mean.trainable_variables)])
print([tuple(g.shape) for g in tape.gradient(likelihood, shared.trainable_variables + spread.trainable_variables)])
print(tape.gradient(fit_loss, x).shape, tape.gradient(likelihood, x).shape)
del tape
