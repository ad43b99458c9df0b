"""A layer of its own creates its weight in each call; the gradient is asked for the first one."""

import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = []

    def __call__(self, x):
        scale = tf.Variable(tf.random.normal([2]), name="scale")  # why: TW606
        self.weights.append(scale)
        return x * scale


model = Scaled()
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
model(x)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    found = tape.gradient(loss, model.weights[:1])
print(found)
