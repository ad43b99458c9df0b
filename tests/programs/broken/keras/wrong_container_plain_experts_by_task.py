# The heads of several tasks are kept in objects of a plain class, where Keras does not look.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Head:
    def __init__(self, units):
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.out = keras.layers.Dense(units)

    def __call__(self, x):
        return self.out(self.hidden(x))


class MultiTask(keras.Model):
    def __init__(self, tasks):
        super().__init__()
        self.shared = keras.layers.Dense(16, activation="relu")
        self.heads = [Head(units) for units in tasks]  # why: TW602

    def call(self, inputs):
        x = self.shared(inputs)
        return tf.concat([head(x) for head in self.heads], axis=-1)


x = np.random.default_rng(0).normal(size=(32, 6)).astype("float32")
y = np.stack([x[:, 0], x[:, 1], x.sum(axis=1)], axis=1)
model = MultiTask((1, 2))
model.compile("adam", "mse")
model.fit(x, y, epochs=2, verbose=0)
print(len(model.trainable_variables))
