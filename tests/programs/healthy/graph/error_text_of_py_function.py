"""The text of an error in a Python function that TensorFlow calls holds a traceback, which is printed as it is."""

import tensorflow as tf


def parse(line):
    return float(line.numpy().decode().partition(",")[2])


def generate():
    yield 1.0
    raise ValueError("the generator's own")


for function in (
    lambda: tf.py_function(parse, ["1,x"], tf.float32),
    lambda: tf.numpy_function(lambda line: {b"a": 1.0}[line], ["b"], tf.float32),
    lambda: list(tf.data.Dataset.from_generator(generate, output_signature=tf.TensorSpec([], tf.float32))),
):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)
