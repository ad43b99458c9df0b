"""A training step that uses a projection layer made once, outside."""

import tensorflow as tf

table = tf.Variable(tf.random.normal([10, 4]))
projection = tf.keras.layers.Dense(1)


@tf.function
def score(tokens):
    vectors = tf.gather(table, tokens)
    return tf.reduce_sum(projection(vectors))


print(score(tf.constant([1, 2, 3])))
print(score(tf.constant([4, 5, 6, 7])))
assert len(projection.trainable_variables) == 2
