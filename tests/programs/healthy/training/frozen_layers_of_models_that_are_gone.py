"""Models that live in functions only: which layers were frozen is still known when they are gone."""

import gc

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

samples = tf.constant(np.random.default_rng(0).normal(size=(8, 4)), tf.float32)


def train(model, variables):
    optimizer = keras.optimizers.SGD(0.1)
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(samples) - 1.0) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return float(loss)


def frozen_as_made():
    features = layers.Dense(6, activation="tanh", trainable=False)
    model = keras.Sequential([keras.Input((4,)), features, layers.Dense(3), layers.Dense(1)])
    return train(model, model.trainable_variables)


def frozen_later():
    encoder = keras.Sequential([keras.Input((4,)), layers.Dense(6, activation="tanh")])
    encoder.trainable = False
    head = keras.Sequential([keras.Input((6,)), layers.Dense(1)])
    return train(keras.Sequential([encoder, head]), head.trainable_variables)


assert frozen_as_made() < 1.5 and frozen_later() < 1.5
gc.collect()
