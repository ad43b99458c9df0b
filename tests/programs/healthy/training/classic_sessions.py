"""Version 1 style in its own graph: placeholders, feed, variables by scope, gradients, a saver, conditionals."""

import os
import tempfile

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    v1.set_random_seed(58)
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    y = v1.placeholder(tf.float32, [None, 1], name="y")
    keep = v1.placeholder_with_default(1.0, [])
    with v1.variable_scope("net", initializer=v1.truncated_normal_initializer(stddev=0.2, seed=1)):
        w1, b1 = v1.get_variable("w1", [3, 6]), v1.get_variable("b1", [6], initializer=v1.zeros_initializer())
        w2 = v1.get_variable("w2", [6, 1])
        hidden = tf.nn.relu(x @ w1 + b1) * keep
        logits = hidden @ w2
    with v1.variable_scope("net", reuse=True):
        again = v1.get_variable("w1")
    unused = v1.get_variable("unused", [2], trainable=False, initializer=v1.zeros_initializer())
    loss = tf.reduce_mean((logits - y) ** 2)
    step = v1.train.get_or_create_global_step()
    optimizer = v1.train.AdamOptimizer(0.05)
    pairs = optimizer.compute_gradients(loss, v1.trainable_variables())
    clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in pairs if g is not None]
    train = optimizer.apply_gradients(clipped, global_step=step)
    average = tf.train.ExponentialMovingAverage(0.9)
    with v1.control_dependencies([train]):
        update = average.apply([w1, w2])
    sensitivity = v1.gradients(loss, [x])[0]
    saver, init = v1.train.Saver(), v1.global_variables_initializer()
rng = np.random.default_rng(58)
feed = {x: rng.normal(size=(16, 3)), y: rng.normal(size=(16, 1))}
with v1.Session(graph=graph) as session:
    session.run(init)
    first = session.run(loss, feed)
    for _ in range(10):
        session.run([train, update], feed)
    last, at, grads = session.run([loss, step, sensitivity], feed)
    path = saver.save(session, os.path.join(tempfile.mkdtemp(), "model"))
    session.run(init)
    saver.restore(session, path)
    print(last < first, int(at), grads.shape, again is w1, np.isclose(session.run(loss, feed), last))
