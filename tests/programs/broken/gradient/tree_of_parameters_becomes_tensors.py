"""Parameters in a dictionary are updated by `map_structure`, as a pure function: then they are tensors."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)


def init(sizes):
    params = {}
    for i, (n, m) in enumerate(zip(sizes[:-1], sizes[1:])):
        params[f"layer{i}"] = {
            "w": tf.Variable(tf.random.normal((n, m), stddev=0.3), name=f"w{i}"),
            "b": tf.Variable(tf.zeros((m,)), name=f"b{i}"),
        }
    return params


def forward(params, x):
    names = sorted(params)
    for name in names[:-1]:
        x = tf.nn.tanh(x @ params[name]["w"] + params[name]["b"])
    last = params[names[-1]]
    return x @ last["w"] + last["b"]


def mse(params, x, y):
    return tf.reduce_mean(tf.square(forward(params, x) - y))


def grad(fun, params, *args):
    with tf.GradientTape() as tape:
        value = fun(params, *args)
    return value, tape.gradient(value, params)


def sgd(params, grads, lr=0.05):
    return tf.nest.map_structure(lambda p, g: p - lr * g, params, grads)  # why: TW112


rng = np.random.default_rng(1)
x = tf.constant(rng.normal(size=(32, 4)).astype("float32"))
y = tf.reduce_sum(x, axis=1, keepdims=True)
params = init([4, 8, 1])
for step in range(5):
    value, grads = grad(mse, params, x, y)
    params = sgd(params, grads)
    print(step, float(value))
