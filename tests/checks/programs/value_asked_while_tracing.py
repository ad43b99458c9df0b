"""Values that are asked of tensors in traced functions, and of what has one."""

import math
import os

import numpy as np
import tensorflow as tf


@tf.function
def of_a_parameter(x):
    print(x.numpy())  # why: TW406
    return x


@tf.function(jit_compile=True)
def of_a_result(x):
    total = tf.reduce_sum(x)
    return total.numpy()  # why: TW406


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.int32)])
def by_numpy(x, n):
    y = np.exp(x)  # why: TW406
    return y[:n]


class Model(tf.Module):
    def __init__(self):
        self.scale = tf.constant(2.0)
        self.mean = tf.Variable(0.0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def by_math(self, x):
        return math.sqrt(x * self.scale)  # why: TW406

    @tf.function
    def of_what_is_known(self, x):
        return x * self.scale.numpy()

    def _parse(self, x):
        return np.sum(x)  # why: TW406

    def dataset(self, files):
        return tf.data.Dataset.from_tensor_slices(files).shuffle(10).map(self._parse)


@tf.function
def in_a_loop(n: tf.Tensor):
    total = 0.0
    for i in tf.range(n):
        total += i.numpy()  # why: TW406
    return total


@tf.function(autograph=False)
def without_autograph(x):
    return float(tf.reduce_mean(x))  # why: TW406


def parse(line):
    parts = tf.strings.split(line, ",")
    return np.asarray(parts)  # why: TW406


def rows(files):
    lines = tf.data.TextLineDataset(files)
    lines = lines.skip(1)
    return lines.map(parse)


def load(path, label):
    image = tf.io.read_file(path)
    return tf.image.decode_jpeg(image).numpy(), label  # why: TW406


def images(dataset):
    return dataset.map(load, num_parallel_calls=tf.data.AUTOTUNE)


def in_a_lambda(files):
    return tf.data.Dataset.from_tensor_slices(files).map(lambda x: x.numpy() + 1)  # why: TW406


def opened(path):
    with open(path) as file:  # why: TW406
        return file.read()


def named(path, label):
    name = os.path.basename(path)  # why: TW406
    return name, label


def split(line):
    return line.split(",")  # why: TW406


def texts(files):
    paths = tf.data.Dataset.list_files(files)
    return paths.map(opened), paths.map(named, num_parallel_calls=2), paths.map(split)


def norm(x):
    return np.sqrt(tf.reduce_sum(x * x))  # why: TW406


traced_norm = tf.function(norm)


# What has a value, or may have one.


def by_tensorflow(path, folder):
    parts = tf.strings.split(path, os.path.sep)
    name = "a,b".split(",")[0]
    return tf.strings.join([os.path.join(FOLDER, name), parts[-1]])


FOLDER = os.path.join("data", "train")


def by_tensorflows_own(files):
    return tf.data.Dataset.list_files(files).map(by_tensorflow, num_parallel_calls=2)


def in_eager_code(x):
    return tf.reduce_sum(x).numpy()


@tf.function
def replaced_by_autograph(x):
    return float(tf.reduce_mean(x)) + int(tf.size(x))


@tf.function
def of_python_values(x, rate, n):
    return x * np.sqrt(rate) * math.log(n) * float(rate) + np.prod(x.shape)


@tf.function
def of_a_shape(x):
    return tf.reshape(x, [-1, int(np.prod(x.shape[1:]))])


def _in_python(x):
    return np.sort(x.numpy())


@tf.function
def by_way_of_python(x):
    def inner(y):
        return y.numpy()

    return tf.py_function(_in_python, [x], tf.float32) + tf.py_function(inner, [x], tf.float32)


@tf.function
def asks_first(x):
    total = tf.reduce_sum(x)
    if tf.executing_eagerly():
        print(total.numpy())
    return total


@tf.function
def perhaps(x, debug=False):
    total = tf.reduce_sum(x)
    if debug:
        print(total.numpy())
    return total


@tf.function
def perhaps_not_reached(x, debug):
    if not debug:
        return x
    print(x.numpy())
    return x


@tf.function
def lifted(x):
    with tf.init_scope():
        start = tf.zeros([2])
        print(start.numpy())
    return x + start.numpy()


@tf.function
def with_something_unknown(x, outside):
    with outside():
        y = tf.ones(3).numpy()
    return x + y


@tf.function
def caught(x):
    try:
        y = x.numpy()
    except AttributeError:
        y = x
    return y


@tf.function
def that_fails(x):
    return x.numpy()


def expected_to_fail(test):
    with test.assertRaises(AttributeError):
        that_fails(tf.ones(3))


OUTSIDE = tf.constant([1.0, 2.0])


@tf.function
def of_a_constant_outside(x):
    return x * np.mean(OUTSIDE) + OUTSIDE.numpy()


def wrapped(function):
    return lambda x: tf.py_function(function, [x], tf.float32)


@tf.function
@wrapped
def below_another_decorator(x):
    return x.numpy()


def with_defaults(files):
    scale = np.ones(3)
    return tf.data.Dataset.from_tensor_slices(files).map(lambda x, scale=scale: x * np.sum(scale))


def of_another_library(frame, pool):
    return frame.map(lambda x: x.numpy()), pool.map(_in_python, [1, 2])


def iterated(dataset):
    return list(map(lambda x: x.numpy(), dataset))


def perhaps_wrapped(x):
    return x.numpy()


def perhaps_mapped(x):
    return x.numpy()


def by_choice(dataset, graph):
    step = perhaps_wrapped
    if graph:
        step = tf.function(perhaps_wrapped)
        dataset = dataset.map(perhaps_mapped, num_parallel_calls=2)
    return step(tf.ones(3)), [perhaps_mapped(each) for each in dataset]


def formatted(i):
    return open("%s.txt" % i).read()


def texts_of_numbers(n):
    return tf.data.Dataset.range(n).map(formatted)
