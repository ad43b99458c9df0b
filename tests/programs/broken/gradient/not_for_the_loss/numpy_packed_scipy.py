"""Fit by an outside minimizer (BFGS-like) that knows only NumPy vectors."""

import numpy as np
import tensorflow as tf

x = np.linspace(0, 1, 20).astype("float32")
y = 2 * x + 0.5


class Line:
    def __init__(self):
        self.slope = tf.Variable(1.0, name="slope")
        self.offset = tf.Variable(0.0, name="offset")
        self.noise = tf.Variable(1.0, name="noise")

    @property
    def weights(self):
        return [self.slope, self.offset, self.noise]

    def __call__(self, t):
        return self.slope * t + self.offset


line = Line()


def flatten(values):
    return np.concatenate([np.ravel(v) for v in values])


def restore(vector):
    sizes = [int(np.prod(w.shape)) for w in line.weights]
    for w, piece in zip(line.weights, np.split(vector, np.cumsum(sizes)[:-1])):
        w.assign(np.reshape(piece, w.shape))


def objective(vector):
    restore(vector.astype("float32"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(x) - y))
    grads = tape.gradient(loss, line.weights)
    grads = [g if g is not None else tf.zeros_like(w) for g, w in zip(grads, line.weights)]
    return float(loss), flatten([g.numpy() for g in grads])


vector = flatten([w.numpy() for w in line.weights]).astype("float64")  # why: TW115
for _ in range(5):
    value, slope = objective(vector)
    vector = vector - 0.3 * slope
print(value)
