"""A square root of negative numbers gives NaN in the first step; in the second one a decomposition refuses it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
mixing = tf.Variable(tf.random.normal((4, 4)))
x = tf.random.normal((3, 4))


def spread(features):
    moments = tf.matmul(features, features, transpose_a=True)
    values, vectors = tf.linalg.eigh(moments)
    return tf.matmul(vectors * tf.sqrt(values - 0.5), vectors, transpose_b=True)  # why: TW211


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(spread(x @ mixing) ** 2)
    mixing.assign_sub(0.01 * tape.gradient(loss, mixing))
