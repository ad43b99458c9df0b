import tensorflow as tf


class Lengths:
    """Splits sentences, and remembers the longest."""

    def __init__(self):
        self.longest = tf.constant(0)

    def split(self, line):
        words = tf.strings.split(line)
        self.longest = tf.maximum(self.longest, tf.size(words))  # why: TW403
        return words

    def pad(self, words):
        return tf.pad(words, [[0, self.longest - tf.size(words)]])
