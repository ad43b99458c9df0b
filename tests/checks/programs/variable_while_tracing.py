"""Variables that traced functions make each time that they are traced, and such that they make once."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


@tf.function
def a_variable(x):
    scale = tf.Variable(2.0)  # why: TW408
    return x * scale


class Counter(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def anew(self, x):
        self.total = tf.Variable(0.0, trainable=False)  # why: TW408
        return self.total.assign_add(x)


@tf.function
def a_layer(x):
    dense = layers.Dense(3, activation="relu")  # why: TW408
    return dense(x) + dense(x)


@tf.function
def a_layer_in_one_line(x):
    return tf.nn.relu(layers.Dense(3)(x))  # why: TW408


@tf.function
def a_layer_that_learns_a_slope(x):
    return layers.PReLU()(x)  # why: TW408


@tf.function
def an_optimizer(model, x):
    optimizer = keras.optimizers.Adam(1e-3)  # why: TW408
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def a_metric(losses):
    mean = keras.metrics.Mean()  # why: TW408
    mean.update_state(losses)
    return mean.result()


def step(x):
    moving = tf.Variable(tf.zeros([3]))  # why: TW408
    return moving.assign_add(x)


traced_step = tf.function(step)


# What is made once, or is no variable.


class Guarded(tf.Module):
    def __init__(self):
        self.scale = None

    @tf.function
    def __call__(self, x):
        if self.scale is None:
            self.scale = tf.Variable(2.0)
        return x * self.scale


class ByNames(tf.Module):
    def __init__(self):
        self.made = {}

    @tf.function
    def __call__(self, x, name="scale"):
        if name not in self.made:
            self.made[name] = tf.Variable(2.0)
        return x * self.made[name]

    @tf.function
    def returns_before(self, x):
        if self.made:
            return x * self.made["scale"]
        self.made["scale"] = tf.Variable(2.0)
        return x

    @tf.function
    def in_another_function(self, x):
        def make():
            return tf.Variable(2.0)

        self.scale = self.scale or make()
        return x * self.scale


@tf.function
def without_variables(x):
    return layers.ReLU()(layers.Flatten()(x))


@tf.function
def made_and_not_called(x):
    layers.Dense(3)
    optimizer = keras.optimizers.SGD()
    return x, optimizer


def eager(x):
    return x * tf.Variable(2.0)


def in_a_dataset(x):
    return tf.data.Dataset.from_tensor_slices(x).map(lambda each: each * tf.Variable(2.0))


class Layer(layers.Layer):
    @tf.function
    def call(self, x):
        return layers.Dense(3)(x)


@tf.function
def with_a_creator(x, creator):
    with tf.variable_creator_scope(creator):
        w = tf.Variable(1.0)
    return x * w
