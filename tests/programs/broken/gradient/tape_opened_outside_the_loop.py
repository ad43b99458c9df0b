"""The tape is opened once around the whole training loop: the second epoch finds it used up and raises RuntimeError.

With the `with` inside the loop every epoch has its own tape, and the loop ends.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(76)
x = tf.constant(rng.normal(size=(30, 3)), tf.float32)
y = tf.constant(rng.integers(0, 2, size=(30, 1)), tf.float32)
weights = tf.Variable(tf.zeros([3, 1]))
bias = tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD(0.5)


def logistic_loss():
    logits = tf.matmul(x, weights) + bias
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))


def train(epochs):
    with tf.GradientTape() as tape:  # why: TW120
        for epoch in range(epochs):
            loss = logistic_loss()
            gradients = tape.gradient(loss, [weights, bias])
            optimizer.apply_gradients(zip(gradients, [weights, bias]))
            print("epoch", epoch, round(float(loss), 4))


train(3)
