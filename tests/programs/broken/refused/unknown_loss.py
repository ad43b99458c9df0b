"""A model is saved with a loss of the program's, and loaded with another custom object only."""
import os
import tempfile

import tensorflow as tf


class Doubled(tf.keras.layers.Layer):
    def call(self, x):
        return x * 2


def squared(target, output):
    return tf.square(target - output)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.keras" if int(tf.__version__.split(".")[1]) > 11 else "model.h5")
    model = tf.keras.Sequential([tf.keras.Input((3,)), Doubled(), tf.keras.layers.Dense(1)])
    model.compile("sgd", squared)
    model.fit(tf.ones((4, 3)), tf.ones((4, 1)), verbose=0)
    model.save(path)
    tf.keras.models.load_model(path, custom_objects={"Doubled": Doubled})  # why: TW701
