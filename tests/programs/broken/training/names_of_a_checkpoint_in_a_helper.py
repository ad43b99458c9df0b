# One helper saves the encoder under its own name, the other reads it under that of a model.
import os
import tempfile

import numpy as np
import tensorflow as tf


def build(width):
    return tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(width, activation="relu")])


def store(folder, **parts):
    return tf.train.CheckpointManager(tf.train.Checkpoint(**parts), folder, max_to_keep=1).save()


def resume(folder, **parts):
    checkpoint = tf.train.Checkpoint(**parts)
    checkpoint.restore(tf.train.latest_checkpoint(folder))  # why: TW605
    return parts


x = np.random.default_rng(1).normal(size=(4, 5)).astype("float32")
folder = tempfile.mkdtemp()
first, second = build(3), build(3)
store(folder, encoder=first, step=tf.Variable(10))
resume(folder, model=second)
print(os.path.basename(folder) != "", float(np.abs(first(x) - second(x)).max()))
