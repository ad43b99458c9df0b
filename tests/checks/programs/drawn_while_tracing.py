"""Numbers that Python draws while a function is traced, and such that it draws in time or once on purpose."""

import random

import numpy as np
import tensorflow as tf
from numpy.random import normal


def flipped(image, label):
    if random.random() < 0.5:  # why: TW122
        image = tf.image.flip_left_right(image)
    return image, label


def brightened(image, label, strong):
    if strong:
        delta = np.random.uniform(-0.2, 0.2)  # why: TW122
        image = tf.image.adjust_brightness(image, delta)
    return image, label


def augmented(images, labels):
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    dataset = dataset.map(flipped).map(lambda x, y: (x + np.random.normal(size=3), y))  # why: TW122
    return dataset.map(brightened, num_parallel_calls=4)


def in_a_filter(numbers):
    return tf.data.Dataset.range(numbers).filter(lambda x: random.random() < 0.1)  # why: TW122


@tf.function
def noisy_step(x):
    noise = normal(size=[4]).astype("float32")  # why: TW122
    return tf.reduce_sum(x + noise)


def train(batches, epochs):
    for _ in range(epochs):
        for x, _ in batches:
            noisy_step(x)


class Agent(tf.Module):
    @tf.function
    def act(self, state):
        if np.random.rand() < 0.1:  # why: TW122
            return tf.zeros([], tf.int64)
        return tf.argmax(state)

    def play(self, environment):
        state = environment.reset()
        while True:
            action = self.act(state)
            yield action


# What is drawn in time, or may be.


@tf.function
def of_tensorflow(x):
    return x + tf.random.normal([4])


@tf.function
def called_once(x):
    return x + np.random.rand(4)


def once():
    return called_once(tf.ones(4))


@tf.function
def traced_for_each_number(x, scale):
    return x * scale + np.random.rand(4)


def sweep(x):
    for scale in range(10):
        traced_for_each_number(x, scale)
    for at, each in enumerate(x):
        traced_for_each_number(each, at)


def _noise():
    return np.random.rand(4).astype("float32")


def by_way_of_python(x):
    return x + tf.numpy_function(_noise, [], tf.float32)


def in_a_python_function(x):
    return x + tf.py_function(lambda: np.random.rand(4), [], tf.float32)


def only_a_seed(x):
    x = tf.image.random_flip_left_right(x, seed=random.randint(0, 100))
    seed = np.random.randint(1000)
    return x + tf.random.stateless_normal([4], seed=[seed, 1])


def only_printed(x):
    print("traced", random.random())
    name = random.choice(["a", "b"])
    print(name)
    return x


def seeded(x):
    np.random.seed(1)
    random.seed(1)
    return x


def drawn_before(x):
    noise = np.random.rand(4)
    return tf.data.Dataset.from_tensor_slices(x).map(lambda each: each + noise)


def mapped(files):
    dataset = tf.data.Dataset.from_tensor_slices(files)
    for function in (by_way_of_python, in_a_python_function):
        dataset = dataset.map(function)
    return (
        dataset.map(by_way_of_python)
        .map(in_a_python_function)
        .map(only_a_seed, num_parallel_calls=2)
        .map(only_printed)
        .map(seeded)
    )


class Kept(tf.Module):
    def __init__(self):
        self.noise = None

    @tf.function
    def __call__(self, x):
        if self.noise is None:
            self.noise = np.random.rand(4)
        return x + self.noise

    def train(self, x):
        for _ in range(3):
            x = self(x)
        return x


def shuffled(items):
    return sorted(items, key=lambda each: random.random())


@tf.function
def perturbed(layer, x):
    return layer(x + np.random.rand(4))


def each_layer(layers, x):
    for layer in layers:
        x = perturbed(layer, x)
    return x
