"""A training step that makes its projection layer on the way."""

import tensorflow as tf

table = tf.Variable(tf.random.normal([10, 4]))


@tf.function
def score(tokens):
    vectors = tf.gather(table, tokens)
    projection = tf.keras.layers.Dense(1)  # why: TW408
    return tf.reduce_sum(projection(vectors))


print(score(tf.constant([1, 2, 3])))
print(score(tf.constant([4, 5, 6, 7])))
