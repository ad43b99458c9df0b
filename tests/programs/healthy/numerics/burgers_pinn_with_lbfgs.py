"""A physics-informed network: derivatives by nested tapes, then a flat-vector BFGS written by hand after Adam."""

import itertools

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(41)
tf.keras.backend.set_floatx("float32")
rng = np.random.default_rng(41)


class PINN(tf.Module):
    def __init__(self, sizes):
        super().__init__()
        init = tf.random_normal_initializer(stddev=0.4, seed=2)
        self.weights = [tf.Variable(init((a, b)), name=f"w{i}") for i, (a, b) in enumerate(itertools.pairwise(sizes))]
        self.biases = [tf.Variable(tf.zeros((b,)), name=f"b{i}") for i, b in enumerate(sizes[1:])]
        self.viscosity = tf.Variable(0.1, trainable=False)

    def __call__(self, x):
        for w, b in zip(self.weights[:-1], self.biases[:-1]):
            x = tf.tanh(x @ w + b)
        return x @ self.weights[-1] + self.biases[-1]

    def residual(self, t, x):
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape(persistent=True) as first:
                first.watch([t, x])
                u = self(tf.concat([t, x], axis=1))
            u_t, u_x = first.gradient(u, t), first.gradient(u, x)
            del first
        u_xx = second.gradient(u_x, x)
        return u_t + u * u_x - self.viscosity * u_xx

    def loss(self):
        u0 = self(tf.concat([tf.zeros_like(x0), x0], axis=1))
        return tf.reduce_mean((u0 + tf.sin(np.pi * x0)) ** 2) + tf.reduce_mean(self.residual(t, x) ** 2)


x0 = tf.constant(rng.uniform(-1, 1, size=(16, 1)).astype("float32"))
t = tf.constant(rng.uniform(0, 1, size=(16, 1)).astype("float32"))
x = tf.constant(rng.uniform(-1, 1, size=(16, 1)).astype("float32"))
net = PINN([2, 8, 8, 1])
adam = tf.keras.optimizers.Adam(0.01)


@tf.function
def gradients():
    with tf.GradientTape() as tape:
        loss = net.loss()
    return loss, tape.gradient(loss, net.trainable_variables)


variables = net.trainable_variables
losses = []
for _ in range(5):
    loss, grads = gradients()
    adam.apply_gradients(zip(grads, variables))
    losses.append(float(loss))

shapes = [tuple(v.shape) for v in variables]
sizes = [int(np.prod(s)) for s in shapes]


def assign(flat):
    for v, part, shape in zip(variables, tf.split(flat, sizes), shapes):
        v.assign(tf.reshape(part, shape))


def value_and_gradient(flat):
    assign(tf.convert_to_tensor(flat, tf.float32))
    loss, grads = gradients()
    return float(loss), tf.concat([tf.reshape(g, [-1]) for g in grads], axis=0).numpy().astype("float64")


position = tf.concat([tf.reshape(v, [-1]) for v in variables], axis=0).numpy().astype("float64")
inverse = np.eye(position.size) * 0.05
value, gradient = value_and_gradient(position)
start = value
for _ in range(4):
    direction = -inverse @ gradient
    step = 1.0
    while step > 1e-4:
        trial, slope = value_and_gradient(position + step * direction)
        if trial < value:
            break
        step /= 2
    s, y = step * direction, slope - gradient
    if s @ y > 1e-10:
        rho = 1 / (s @ y)
        left = np.eye(position.size) - rho * np.outer(s, y)
        inverse = left @ inverse @ left.T + rho * np.outer(s, s)
    position, value, gradient = position + s, trial, slope
print(losses[-1] < losses[0], value <= start)
