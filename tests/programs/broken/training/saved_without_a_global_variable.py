"""A module is saved whose function reads a variable of the file."""

import tempfile

import tensorflow as tf

scale = tf.Variable(2.0)  # why: TW601


class Scaler(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def __call__(self, x):
        return x * scale


with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(Scaler(), folder)
