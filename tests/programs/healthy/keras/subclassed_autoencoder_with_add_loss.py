# Losses that are added where the values are, models made of parts of models, saved weights.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Sampling(keras.layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        self.add_loss(-0.5 * tf.reduce_mean(1 + log_variance - tf.square(mean) - tf.exp(log_variance)))
        return mean + tf.exp(0.5 * log_variance) * tf.random.normal(tf.shape(mean))


inputs = keras.Input((6,))
hidden = keras.layers.Dense(8, activation="relu")(inputs)
mean, log_variance = keras.layers.Dense(2)(hidden), keras.layers.Dense(2)(hidden)
latent = Sampling()([mean, log_variance])
encoder = keras.Model(inputs, [mean, log_variance, latent])
decoder = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(6)])
model = keras.Model(inputs, decoder(encoder(inputs)[2]))
model.compile("adam", "mse")
x = np.random.default_rng(0).normal(size=(16, 6)).astype("float32")
model.fit(x, x, epochs=2, verbose=0)
assert len(model.trainable_variables) == 10
