"""A start value is assigned; another module computes with tensors, and its variables are trained."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Noise(tf.Module):
    def __init__(self):
        super().__init__()
        self.spread = tf.Variable(1.0, name="spread")


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope, self.noise = tf.Variable(0.5, name="slope"), Noise()

    def error(self, x, y):
        return tf.reduce_sum(((y - self.slope * x) / self.noise.spread) ** 2) + tf.math.log(self.noise.spread)


def start(noise, value):
    noise.spread.assign(value)


line = Line()
start(line.noise, tf.constant(0.3))
x = tf.random.normal((20,))
for _ in range(5):
    with tf.GradientTape() as tape:
        error = line.error(x, 2.0 * x)
    for gradient, variable in zip(tape.gradient(error, line.trainable_variables), line.trainable_variables):
        variable.assign_sub(0.001 * gradient)


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.direction, self.length = tf.Variable([3.0, 4.0]), tf.Variable(2.0)
        self.weights = tf.Variable([0.0, 0.0])
        self.raw = self.weights

    def __call__(self, x):
        self.weights = self.length * self.direction / tf.norm(self.direction) + self.raw
        return tf.reduce_sum(self.weights * x)


scaled = Scaled()
for _ in range(3):
    with tf.GradientTape() as tape:
        value = scaled(tf.constant([1.0, 2.0]))
    for gradient, variable in zip(tape.gradient(value, scaled.trainable_variables), scaled.trainable_variables):
        variable.assign_sub(0.1 * gradient)
