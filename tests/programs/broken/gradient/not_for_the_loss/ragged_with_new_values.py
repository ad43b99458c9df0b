"""Sentence scores from ragged words: the words' own scores are replaced before they are averaged."""
# requires: tf>=2.12

import tensorflow as tf

words = tf.ragged.constant([[0.2, 0.4], [0.9], [0.1, 0.3, 0.5]])


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.bias = tf.Variable(0.1, name="bias")

    def __call__(self, ragged):
        scores = tf.zeros([6]) + self.bias
        return tf.reduce_mean(ragged.with_flat_values(scores), axis=1)  # why: TW115


scorer = Scorer()
with tf.GradientTape() as tape:
    tape.watch(words)
    total = tf.reduce_sum(scorer(words))
print("influence of the words:", tape.gradient(total, words))
