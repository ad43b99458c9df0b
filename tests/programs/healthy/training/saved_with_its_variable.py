"""A module that keeps the variable its saved function reads."""

import tempfile

import tensorflow as tf


class Scaler(tf.Module):
    def __init__(self):
        self.scale = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def __call__(self, x):
        return x * self.scale


with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(Scaler(), folder)
    print(tf.saved_model.load(folder)(tf.constant([1.0, 2.0])).numpy())
