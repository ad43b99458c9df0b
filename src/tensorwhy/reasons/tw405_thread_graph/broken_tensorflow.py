"""A model in graph mode whose answers are scaled by a worker thread."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

tf.compat.v1.disable_eager_execution()

x = tf.compat.v1.placeholder(tf.float32, [None])
doubled = 2.0 * x
session = tf.compat.v1.Session()


def serve(values, factor):
    scaled = doubled * tf.constant(factor)  # why: TW405
    return session.run(scaled, {x: values})


with ThreadPoolExecutor(1) as pool:
    print(pool.submit(serve, [1.0, 2.0], 0.5).result())
