"""Beam search over a table of log-probabilities, with growing sequences and declared shapes."""

import tensorflow as tf


class BeamSearch:
    def __init__(self, table, width):
        self.table = tf.constant(table)
        self.width = width

    def _expand(self, step, tokens, scores):
        following = tf.gather(self.table, tokens[:, -1])
        candidates = tf.reshape(scores[:, None] + following, [-1])
        scores, chosen = tf.math.top_k(candidates, self.width)
        vocabulary = tf.shape(self.table)[1]
        parents = tf.gather(tokens, chosen // vocabulary)
        tokens = tf.concat([parents, (chosen % vocabulary)[:, None]], axis=1)
        return step + 1, tokens, scores

    @tf.function
    def run(self, steps):
        tokens = tf.zeros([self.width, 1], tf.int32)
        scores = tf.concat([[0.0], tf.fill([self.width - 1], -1e9)], axis=0)
        _, tokens, scores = tf.while_loop(
            lambda step, tokens, scores: step < steps,
            self._expand,
            [tf.constant(0), tokens, scores],
            shape_invariants=[tf.TensorShape([]), tf.TensorShape([self.width, None]), tf.TensorShape([self.width])],
        )
        return tokens, scores


search = BeamSearch([[-1.0, -0.5, -2.0], [-0.1, -3.0, -1.0], [-1.0, -1.0, -1.0]], width=2)
tokens, scores = search.run(tf.constant(4))
print(tokens.numpy().tolist())
