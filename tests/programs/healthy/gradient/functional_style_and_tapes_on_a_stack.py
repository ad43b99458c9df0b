"""Functional style: value_and_grad, tapes on a stack and in an object, parameters in nested dicts, asynchronous steps."""

import asyncio
import contextlib
import functools

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)


def value_and_grad(f):
    @functools.wraps(f)
    def wrapped(params, *args):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tf.nest.map_structure(tape.watch, params)
            value = f(params, *args)
        flat = tape.gradient(value, tf.nest.flatten(params))
        return value, tf.nest.pack_sequence_as(params, flat)

    return wrapped


def grad(f):
    return lambda *args: value_and_grad(f)(*args)[1]


def init(sizes):
    return [
        {"w": tf.random.normal((i, o)) / np.sqrt(i).astype("float32"), "b": tf.zeros(o)}
        for i, o in zip(sizes, sizes[1:])
    ]


def forward(params, x):
    for layer in params[:-1]:
        x = tf.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss(params, x, y):
    return tf.reduce_mean((forward(params, x) - y) ** 2)


def adam(params, grads, state, rate=0.02):
    t, m, v = state
    m = tf.nest.map_structure(lambda a, g: 0.9 * a + 0.1 * g, m, grads)
    v = tf.nest.map_structure(lambda a, g: 0.99 * a + 0.01 * g * g, v, grads)
    params = tf.nest.map_structure(lambda p, a, b: p - rate * a / (tf.sqrt(b) + 1e-6), params, m, v)
    return params, (t + 1, m, v)


step = tf.function(value_and_grad(loss))
params = init([2, 8, 1])
state = (0, tf.nest.map_structure(tf.zeros_like, params), tf.nest.map_structure(tf.zeros_like, params))
rng = np.random.default_rng(0)
for i in range(6):
    x = tf.constant(rng.normal(size=(16, 2)).astype("float32"))
    value, grads = step(params, x, tf.sin(x[:, :1]) * x[:, 1:])
    params, state = adam(params, grads, state)
print(f"{float(value):.4f}")

cube = lambda p: tf.reduce_sum(p["x"] ** 3)
second = lambda p: grad(lambda q: tf.reduce_sum(grad(cube)(q)["x"]))(p)
third = grad(lambda p: tf.reduce_sum(second(p)["x"]))
print(third({"x": tf.constant([1.0, 2.0])})["x"].numpy())

outs = []
with contextlib.ExitStack() as stack:
    tapes = [stack.enter_context(tf.GradientTape()) for _ in range(3)]
    a, b, c = (tf.Variable(float(i + 1)) for i in range(3))
    y = a * b + tf.exp(c) * a
for tape, v in zip(tapes, (a, b, c)):
    outs.append(float(tape.gradient(y, v)))
print([round(o, 3) for o in outs])


class Recorder:
    def __init__(self, model_params):
        self.params, self.tape = model_params, None

    def __enter__(self):
        self.tape = tf.GradientTape(persistent=True)
        self.tape.__enter__()
        for p in tf.nest.flatten(self.params):
            self.tape.watch(p)
        return self

    def __exit__(self, *error):
        self.tape.__exit__(*error)

    def backward(self, value):
        return tf.nest.pack_sequence_as(self.params, self.tape.gradient(value, tf.nest.flatten(self.params)))


for i in range(3):
    with Recorder(params) as recorder:
        value = loss(params, x, x[:, :1])
    params = tf.nest.map_structure(lambda p, g: p - 0.05 * g, params, recorder.backward(value))
print(f"{float(value):.4f}")


def stepper(w):
    while True:
        batch = yield w
        with tf.GradientTape() as tape:
            tape.watch(w)
            value = tf.reduce_mean((batch @ w) ** 2)
        w = w - 0.1 * tape.gradient(value, w)


descend = stepper(tf.ones((2, 1)))
next(descend)
for i in range(3):
    w = descend.send(x)
print(w.numpy().ravel().round(3))


async def worker(name, queue, results):
    weight = tf.Variable(tf.ones((2, 1)))
    while not queue.empty():
        batch = await queue.get()
        with tf.GradientTape() as tape:
            await asyncio.sleep(0)
            value = tf.reduce_mean((batch @ weight - 1.0) ** 2)
        weight.assign_sub(0.1 * tape.gradient(value, weight))
    results[name] = float(value)


async def main():
    queue, results = asyncio.Queue(), {}
    for i in range(6):
        queue.put_nowait(tf.constant(rng.normal(size=(4, 2)).astype("float32")))
    await worker("one", queue, results)
    return results


print({k: f"{v:.3f}" for k, v in asyncio.run(main()).items()})
print(tf.vectorized_map(lambda row: grad(lambda p: tf.reduce_sum(tf.tanh(p * row)))(tf.ones(2)), x).shape)
