"""The weight is created in the first call, and used in all."""

import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = []

    def __call__(self, x):
        if not self.weights:
            self.weights.append(tf.Variable(tf.random.normal([2]), name="scale"))
        scale = self.weights[0]
        return x * scale


model = Scaled()
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
model(x)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    found = tape.gradient(loss, model.weights[:1])
print(found)
assert found[0] is not None
