# The weights of the classes are returned as a second output, so that the loss can see them.
import numpy as np
import tensorflow as tf
from tensorflow import keras


def class_weights(labels):
    counts = np.bincount(labels)
    return tf.constant(counts.sum() / (len(counts) * counts), tf.float32)


class Builder:
    def __init__(self, labels):
        self.weights = class_weights(labels)  # why: TW301

    def outputs(self, x):
        return [keras.layers.Dense(3, activation="softmax")(x), self.weights]

    def model(self, width):
        inputs = keras.Input((width,))
        hidden = keras.layers.Dense(8, activation="relu")(inputs)
        return keras.Model(inputs, self.outputs(hidden))


labels = np.array([0, 0, 1, 2, 2, 2])
model = Builder(labels).model(4)
model.compile("adam", ["sparse_categorical_crossentropy", None])
