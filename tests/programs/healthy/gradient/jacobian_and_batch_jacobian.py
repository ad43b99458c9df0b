"""Jacobians of a watched batch, per sample and whole, agree."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(135)
rng = np.random.default_rng(135)
net = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(2)])
x = tf.constant(rng.normal(size=(3, 4)), tf.float32)

with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = net(x)
per_sample = tape.batch_jacobian(y, x)
whole = tape.jacobian(y, x)
diagonal = tf.stack([whole[i, :, i] for i in range(3)])
print(per_sample.shape, whole.shape, bool(tf.reduce_max(tf.abs(per_sample - diagonal)) < 1e-5))
kernels = tape.jacobian(y, net.trainable_variables)
print([tuple(k.shape) for k in kernels])
