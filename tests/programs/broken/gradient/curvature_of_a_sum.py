"""The curvature of each score: `gradient` of the first derivatives adds them up, and each row of the Hessian sums to 0."""

import tensorflow as tf


def curvature(logits, labels):
    with tf.GradientTape() as outer:
        outer.watch(logits)
        with tf.GradientTape() as inner:
            inner.watch(logits)
            loss = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        slopes = inner.gradient(loss, logits)
    return outer.gradient(slopes, logits)  # why: TW206


tf.random.set_seed(0)
scores = tf.random.normal([20, 4])
print(tf.reduce_max(tf.abs(curvature(scores, tf.random.uniform([20], 0, 4, tf.int32)))))
