"""Gives class ids to a loss that takes one row of probabilities for each sample."""

import tensorflow as tf

scores = tf.Variable(tf.random.stateless_normal((16, 5), seed=(0, 0)))
classes = tf.constant([0, 1, 2, 3] * 4, tf.float32)
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=classes, logits=scores)  # why: TW701
print(tape.gradient(loss, scores))
