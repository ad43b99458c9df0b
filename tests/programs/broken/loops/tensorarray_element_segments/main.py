"""The energy of each segment of a signal."""

import tensorflow as tf
from segments import Segmenter

segmenter = Segmenter([0, 3, 5, 9])


@tf.function
def energies(signal):
    pieces = segmenter.cut(signal, tf.TensorArray(tf.float32, size=3))
    return tf.reduce_sum(tf.square(pieces.stack()), axis=1)


print(energies(tf.random.normal([9])).shape)
