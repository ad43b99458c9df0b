"""Read a memory in three steps, and show where the reader looked."""

import tensorflow as tf
from attention import Reader


def show(reader):
    looks = tf.stack(reader.looks)
    print("looked at", tf.argmax(looks, axis=1).numpy())


reader = Reader(width=4)
reader.read(tf.random.normal([6, 4]), tf.constant(3))
show(reader)
