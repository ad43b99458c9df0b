"""A hidden layer starts with a bias of -20: its ReLU is zero for every sample, and so is every gradient before it.

With a bias of zero the gradients are not zero.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(81)
rng = np.random.default_rng(81)
x = tf.constant(rng.normal(size=(50, 4)), tf.float32)
y = tf.reduce_sum(tf.abs(x), axis=1, keepdims=True)

w1 = tf.Variable(tf.random.normal([4, 12], stddev=0.3))
b1 = tf.Variable(tf.fill([12], -20.0))
w2 = tf.Variable(tf.random.normal([12, 1], stddev=0.3))
b2 = tf.Variable(tf.zeros([1]))
parameters = [w1, b1, w2, b2]


def forward(batch):
    hidden = tf.nn.relu(tf.matmul(batch, w1) + b1)  # why: TW201
    return tf.matmul(hidden, w2) + b2


for step in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(forward(x) - y))
    gradients = tape.gradient(loss, parameters)
    for parameter, gradient in zip(parameters, gradients):
        parameter.assign_sub(0.05 * gradient)
    print(step, round(float(loss), 4), [round(float(tf.norm(g)), 5) for g in gradients])
