"""A greedy decoder over a fixed table of next tokens."""

import tensorflow as tf


class GreedyDecoder(tf.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.scores = tf.Variable(tf.random.normal([vocabulary, vocabulary]))

    def _next(self, tokens):
        last = tokens[:, -1]
        return tf.argmax(tf.gather(self.scores, last), axis=-1, output_type=tf.int32)

    def _append(self, step, tokens):
        following = self._next(tokens)
        longer = tf.concat([tokens, following[:, tf.newaxis]], axis=1)  # why: TW503
        return step + 1, longer

    @tf.function
    def decode(self, start, steps):
        step = tf.constant(0)
        _, tokens = tf.while_loop(lambda step, tokens: step < steps, self._append, [step, start])
        return tokens
