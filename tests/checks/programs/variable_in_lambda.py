"""Variables in the functions of Lambda layers: such that training never reaches, and such that need none."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def in_a_functional_model(x, y):
    scale = tf.Variable(1.0)  # why: TW601
    inputs = keras.Input((8,))
    scaled = layers.Lambda(lambda t: t * scale)(inputs)
    model = keras.Model(inputs, layers.Dense(1)(scaled))
    model.compile("adam", "mse")
    model.fit(x, y)


def in_a_function_of_a_sequential_model(x, y):
    w = tf.Variable(tf.random.normal((8, 4)), name="w")  # why: TW601

    def project(t):
        return tf.matmul(t, w)

    model = keras.Sequential()
    model.add(layers.Lambda(project))
    model.add(layers.Dense(1))
    model.compile("adam", "mse")
    model.fit(x, y)


def one_that_is_fixed(x, y):
    scale = tf.Variable(2.0, trainable=False)
    model = keras.Sequential([layers.Lambda(lambda t: t * scale), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)


def one_that_is_set(x, y):
    temperature = tf.Variable(2.0)
    model = keras.Sequential([layers.Lambda(lambda t: t / temperature), layers.Dense(1)])
    model.compile("adam", "mse")
    for value in (2.0, 1.0, 0.5):
        temperature.assign(value)
        model.fit(x, y)


def one_that_a_callback_sets(x, y, annealed):
    temperature = tf.Variable(2.0)
    model = keras.Sequential([layers.Lambda(lambda t: t / temperature), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, callbacks=[annealed(temperature)])


def a_constant(x, y):
    scale = tf.constant(2.0)
    model = keras.Sequential([layers.Lambda(lambda t: t * scale), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)


def what_was_measured(x, y):
    mean = tf.Variable(x.mean(axis=0))
    model = keras.Sequential([layers.Lambda(lambda t: t - mean), layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)


def a_model_that_is_not_trained():
    scale = tf.Variable(1.0)
    return keras.Sequential([layers.Lambda(lambda t: t * scale), layers.Dense(1)])
