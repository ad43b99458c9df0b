# requires: keras3
# A variational encoder samples with the batch size of the symbolic input.
import tensorflow as tf
from tensorflow import keras

LATENT = 2


def sample(mean, log_variance):
    noise = tf.random.normal(tf.shape(mean))  # why: TW302
    return mean + keras.ops.exp(0.5 * log_variance) * noise


def encoder():
    inputs = keras.Input((28,))
    hidden = keras.layers.Dense(16, activation="relu")(inputs)
    mean = keras.layers.Dense(LATENT)(hidden)
    log_variance = keras.layers.Dense(LATENT)(hidden)
    return keras.Model(inputs, sample(mean, log_variance))


encoder().summary()
