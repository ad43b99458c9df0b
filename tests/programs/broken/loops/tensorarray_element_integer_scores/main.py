# Scores are collected in an array that was declared for another dtype.
import tensorflow as tf
from decoder import greedy

table = tf.random.normal([10, 10])
tokens, scores = greedy(table, tf.constant(3), tf.constant(4))
print(tokens.shape, scores.shape)
