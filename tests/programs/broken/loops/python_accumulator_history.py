"""A training loop that means to keep the loss of every step."""

import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
history = []


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(features, weights) - labels))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    history.append(loss)  # why: TW505
    return loss


for _ in range(5):
    train_step(tf.ones([4, 3]), tf.zeros([4, 1]))
print("steps kept:", len(history))
