"""Parts of a network that are trained by choice: biases, the last layer; then freezing in phases, and curvature."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
x, y = tf.random.normal((16, 5)), tf.random.uniform((16,), 0, 3, tf.int32)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def build():
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(8), keras.layers.Dense(3)])
    model(x)
    return model


def train(model, variables):
    opt = keras.optimizers.SGD(0.1)
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return float(loss)


first, second = build(), build()
biases = [v for v in first.trainable_variables if "bias" in v.name]
opt = keras.optimizers.SGD(0.1)
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, first(x))
    opt.apply_gradients(zip(tape.gradient(loss, biases), biases))
print(len(biases))


def probe(model):
    opt = keras.optimizers.SGD(0.1)
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        last = model.layers[-1].trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, last), last))


probe(second)

frozen = build()
for layer in frozen.layers[:-1]:
    layer.trainable = False
print(train(frozen, frozen.trainable_variables) > 0)
frozen.compile("sgd", loss_fn)
frozen.fit(x, y, epochs=4, verbose=0)

theta, curvature = tf.Variable(tf.ones(3)), tf.constant(np.diag([1.0, 2.0, 3.0]), tf.float32)


def product(vector):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            energy = 0.5 * tf.tensordot(theta, tf.linalg.matvec(curvature, theta), 1)
        slope = inner.gradient(energy, theta)
    return outer.gradient(slope, theta, output_gradients=vector)


solution, rest = tf.zeros(3), tf.ones(3)
way = rest
for _ in range(3):
    bent = product(way)
    rate = tf.reduce_sum(rest * rest) / tf.reduce_sum(way * bent)
    solution, new = solution + rate * way, rest - rate * bent
    way, rest = new + tf.reduce_sum(new * new) / tf.reduce_sum(rest * rest) * way, new
print(np.round(solution.numpy(), 2))


def has_gradient(function):
    with tf.GradientTape() as tape:
        result = function(theta)
    return tape.gradient(result, theta) is not None


print(has_gradient(tf.exp), has_gradient(tf.floor))
with tf.GradientTape() as tape:
    energy = tf.reduce_sum(theta**2)
slope, _ = tape.gradient(energy, [theta, first.layers[0].kernel])
print(slope.shape)

latent, generator = tf.Variable(tf.random.normal((16, 3))), keras.layers.Dense(5)
generator(latent.read_value())
opt = keras.optimizers.Adam(0.1)
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((generator(latent) - x) ** 2) + 1e-3 * tf.reduce_mean(latent**2)
    opt.apply_gradients([(tape.gradient(loss, latent), latent)])
print(float(loss) > 0)


class Normaliser:
    def __init__(self, data):
        self.mean = tf.Variable(tf.reduce_mean(data, 0), name="mean")
        self.std = tf.Variable(tf.math.reduce_std(data, 0), name="std")

    def __call__(self, data):
        return (data - self.mean) / (self.std + 1e-6)


normalised, network = Normaliser(x), build()
print(train(lambda data: network(normalised(data)), network.trainable_variables) > 0)
