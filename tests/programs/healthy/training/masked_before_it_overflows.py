# A branch that is masked gets inputs for which it is finite, after many steps, too.
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(31)
rng = np.random.default_rng(0)
hidden, rate_of = keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)


def positive(a):
    return tf.where(a < 20.0, tf.math.log(1.0 + tf.exp(tf.minimum(a, 20.0))), a)


exposure = rng.lognormal(3.0, 1.5, size=(400, 1))
x = np.concatenate([exposure, rng.random((400, 2))], 1).astype("float32") * 0.2
y = rng.poisson(3.0 * exposure).astype("float32")
optimizer = keras.optimizers.Adam(0.01)
for _ in range(12):
    for start in range(0, 400, 100):
        with tf.GradientTape() as tape:
            rate = positive(rate_of(hidden(x[start : start + 100])))
            loss = tf.reduce_mean(rate - y[start : start + 100] * tf.math.log(rate + 1e-6))
        variables = hidden.trainable_variables + rate_of.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
