# requires: keras3
"""The layers of both models are of the same classes."""

import os
import tempfile

import tensorflow as tf

layers = tf.keras.layers


class Projection(layers.Dense):
    pass


def network(kind):
    return tf.keras.Sequential([tf.keras.Input((4,)), layers.LayerNormalization(), kind(2, name="projection")])


def restore(model, path):
    model.load_weights(path)


path = os.path.join(tempfile.mkdtemp(), "saved.weights.h5")
network(Projection).save_weights(path)
restore(network(Projection), path)
