"""A start value is given to the attribute of a variable: the module has a constant there from then on."""

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
    noise.spread = value  # why: TW112


line = Line()
start(line.noise, tf.constant(0.3))
x = tf.random.normal((20,))
for _ in range(5):
    with tf.GradientTape() as tape:
        error = line.error(x, 2.0 * x)
    for gradient, variable in zip(tape.gradient(error, line.trainable_variables), line.trainable_variables):
        variable.assign_sub(0.001 * gradient)
