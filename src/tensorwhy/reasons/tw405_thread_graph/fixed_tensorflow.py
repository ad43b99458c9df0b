"""A model in graph mode whose answers are scaled by a worker thread, in the graph that the model is in."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

tf.compat.v1.disable_eager_execution()

x = tf.compat.v1.placeholder(tf.float32, [None])
doubled = 2.0 * x
session = tf.compat.v1.Session()


def serve(values, factor):
    with session.graph.as_default():
        scaled = doubled * tf.constant(factor)
    return session.run(scaled, {x: values})


with ThreadPoolExecutor(1) as pool:
    value = pool.submit(serve, [1.0, 2.0], 0.5).result()
print(value)
assert value.tolist() == [1.0, 2.0]
