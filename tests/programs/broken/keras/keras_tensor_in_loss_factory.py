# A loss factory closes over the latent tensors of the encoder: the values of the batch never reach the loss.
import numpy as np
import tensorflow as tf
from tensorflow import keras


def kl_loss(mean, log_variance):
    def loss(y_true, y_pred):
        reconstruction = tf.reduce_mean(tf.square(y_true - y_pred))
        divergence = -0.5 * tf.reduce_mean(1 + log_variance - tf.square(mean) - tf.exp(log_variance))  # why: TW303
        return reconstruction + divergence

    return loss


def build():
    inputs = keras.Input((6,))
    hidden = keras.layers.Dense(8, activation="relu")(inputs)
    mean = keras.layers.Dense(2, name="mean")(hidden)
    log_variance = keras.layers.Dense(2, name="log_variance")(hidden)
    outputs = keras.layers.Dense(6)(mean)
    model = keras.Model(inputs, outputs)
    model.compile("adam", loss=kl_loss(mean, log_variance))
    return model


data = np.random.default_rng(0).normal(size=(16, 6)).astype("float32")
build().fit(data, data, verbose=0)
