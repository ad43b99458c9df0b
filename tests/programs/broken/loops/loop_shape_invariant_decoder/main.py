"""Decode a batch of two."""

import tensorflow as tf
from decoder import GreedyDecoder


def main():
    decoder = GreedyDecoder(vocabulary=5)
    start = tf.zeros([2, 1], tf.int32)
    print(decoder.decode(start, tf.constant(4)).shape)


main()
