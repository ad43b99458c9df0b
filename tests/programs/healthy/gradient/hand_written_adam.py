"""An optimizer written by hand with slot variables and an integer step counter."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(164)


class Adam(tf.Module):
    def __init__(self, variables, rate=0.05):
        super().__init__()
        self.rate = rate
        self.step = tf.Variable(0, dtype=tf.int64, trainable=False)
        self.first = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
        self.second = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def apply(self, gradients, variables):
        self.step.assign_add(1)
        t = tf.cast(self.step, tf.float32)
        for g, v, m, s in zip(gradients, variables, self.first, self.second):
            m.assign(0.9 * m + 0.1 * g)
            s.assign(0.999 * s + 0.001 * g * g)
            v.assign_sub(self.rate * (m / (1 - 0.9**t)) / (tf.sqrt(s / (1 - 0.999**t)) + 1e-8))


x = tf.constant(rng.normal(size=(50, 3)), tf.float32)
y = tf.constant(rng.integers(0, 2, size=(50, 1)), tf.float32)
parameters = [tf.Variable(tf.zeros([3, 1])), tf.Variable(tf.zeros([1]))]
optimizer = Adam(parameters)
for _step in range(5):
    with tf.GradientTape() as tape:
        logits = x @ parameters[0] + parameters[1]
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    optimizer.apply(tape.gradient(loss, parameters), parameters)
    print(int(optimizer.step), round(float(loss), 5))
