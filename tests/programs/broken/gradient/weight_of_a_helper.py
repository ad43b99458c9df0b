"""A helper makes the weight, and it is called in each call of the layer."""

import tensorflow as tf


def weight(name, size):
    return tf.Variable(tf.random.normal([size]), name=name)


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.made = []

    def __call__(self, x):
        scale = weight("scale", x.shape[-1])  # why: TW606
        self.made.append(scale)
        return x * scale


model, x = Scaled(), tf.constant([[1.0, 2.0], [3.0, 4.0]])
optimizer = tf.keras.optimizers.SGD(0.1)
model(x)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    try:
        optimizer.apply_gradients(zip(tape.gradient(loss, model.made[:1]), model.made[:1]))
    except ValueError as error:
        print(type(error).__name__)
