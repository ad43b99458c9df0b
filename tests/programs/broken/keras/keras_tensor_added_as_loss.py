# requires: keras3
# A variational autoencoder after the old example: its loss is added to the finished model.
import keras
import numpy as np
from keras import layers, ops


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        return mean + ops.exp(0.5 * log_var) * keras.random.normal(ops.shape(mean))


def encoder(width, code):
    x = inputs = keras.Input((width,))
    x = layers.Dense(16, activation="relu")(x)
    mean = layers.Dense(code, name="mean")(x)
    log_var = layers.Dense(code, name="log_var")(x)
    return inputs, mean, log_var, Sampling()([mean, log_var])


def total_loss(inputs, outputs, mean, log_var):
    reconstruction = ops.sum(keras.losses.binary_crossentropy(inputs, outputs))
    kl = -0.5 * ops.sum(1 + log_var - ops.square(mean) - ops.exp(log_var), axis=-1)
    return ops.mean(reconstruction + kl)


def build(width=12, code=2):
    inputs, mean, log_var, z = encoder(width, code)
    hidden = layers.Dense(16, activation="relu")(z)
    outputs = layers.Dense(width, activation="sigmoid")(hidden)
    vae = keras.Model(inputs, outputs)
    vae.add_loss(total_loss(inputs, outputs, mean, log_var))  # why: TW701
    vae.compile("rmsprop")
    return vae


x = np.random.default_rng(0).uniform(size=(16, 12)).astype("float32")
build().fit(x, epochs=1, verbose=0)
