# requires: keras3
"""The file has a layer under the name of its class; the layer of this model is of another class, with the same name."""

import os
import tempfile

import tensorflow as tf

layers = tf.keras.layers


class Projection(layers.Dense):
    pass


def network(kind):
    return tf.keras.Sequential([tf.keras.Input((4,)), layers.LayerNormalization(), kind(2, name="projection")])


def restore(model, path):
    model.load_weights(path)  # why: TW605


path = os.path.join(tempfile.mkdtemp(), "saved.weights.h5")
network(Projection).save_weights(path)
restore(network(layers.Dense), path)
