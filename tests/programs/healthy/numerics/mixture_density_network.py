"""A mixture density network: three heads, log-sum-exp likelihood as a Keras loss on concatenated parameters."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(43)
rng = np.random.default_rng(43)
y = rng.uniform(-1, 1, size=(64, 1)).astype("float32")
x = (y + 0.3 * np.sin(7 * y) + rng.normal(size=y.shape) * 0.05).astype("float32")
K = 4
inputs = keras.Input((1,))
h = keras.layers.Dense(16, activation="tanh")(inputs)
pi = keras.layers.Dense(K, name="pi")(h)
mu = keras.layers.Dense(K, name="mu")(h)
sigma = keras.layers.Dense(K, activation=lambda t: tf.nn.elu(t) + 1 + 1e-5, name="sigma")(h)
model = keras.Model(inputs, keras.layers.Concatenate()([pi, mu, sigma]))


def nll(y_true, params):
    pi, mu, sigma = tf.split(params, 3, axis=-1)
    log_prob = -0.5 * ((tf.cast(y_true, mu.dtype) - mu) / sigma) ** 2 - tf.math.log(sigma) - 0.9189385
    return -tf.reduce_mean(tf.reduce_logsumexp(tf.nn.log_softmax(pi) + log_prob, axis=-1))


model.compile(keras.optimizers.Adam(0.01), nll)
history = model.fit(x, y, epochs=3, batch_size=16, verbose=0).history["loss"]
params = model.predict(x[:5], verbose=0)
pi, mu, sigma = np.split(params, 3, axis=-1)
component = (pi + rng.gumbel(size=pi.shape)).argmax(axis=-1)
sample = mu[np.arange(5), component] + sigma[np.arange(5), component] * rng.normal(size=5)
print(history[-1] < history[0], sample.shape)
