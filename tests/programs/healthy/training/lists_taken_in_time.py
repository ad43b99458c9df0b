"""Lists of variables that are kept: of a model that is built, of a part on purpose, and without its last variable."""

import tensorflow as tf
from tensorflow import keras


class Scorer(keras.Model):
    def __init__(self):
        super().__init__()
        self.stem = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="tanh")])
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.stem(x))


def train(model, weights, x):
    optimizer = keras.optimizers.SGD(0.1)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - 1.0))
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


def whole(x):
    model = Scorer()
    model(x)
    weights = model.trainable_variables
    return train(model, weights, x)


def stem_only(x):
    model = Scorer()
    stem = model.stem
    optimizer = keras.optimizers.SGD(0.1)
    kept = stem.trainable_variables
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - 1.0))
        optimizer.apply_gradients(zip(tape.gradient(loss, kept), kept))
    return loss


def without_bias(x):
    model = Scorer()
    model(x)
    optimizer = keras.optimizers.SGD(0.1)
    shortened = list(model.trainable_variables)
    shortened.pop()
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - 1.0))
        optimizer.apply_gradients(zip(tape.gradient(loss, shortened), shortened))
    return loss


x = tf.random.stateless_normal([8, 3], [3, 4])
print([step(x).shape for step in (whole, stem_only, without_bias)])
