# Layers in lists, dicts and nested lists, which Keras tracks; all of them are trained.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Head(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.steps = [keras.layers.Dense(8, activation="relu"), keras.layers.Dense(units)]

    def build(self, input_shape):
        for step in self.steps:
            step.build(input_shape)
            input_shape = (*input_shape[:-1], step.units)
        self.built = True

    def call(self, x):
        for step in self.steps:
            x = step(x)
        return x


class MultiTask(keras.Model):
    def __init__(self, tasks):
        super().__init__()
        self.shared = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dropout(0.1)])
        self.heads = {name: Head(units) for name, units in tasks.items()}

    def call(self, x, training=False):
        x = self.shared(x, training=training)
        return tf.concat([self.heads[name](x) for name in sorted(self.heads)], axis=-1)


x = np.random.default_rng(0).normal(size=(16, 5)).astype("float32")
model = MultiTask({"mean": 1, "ends": 2})
model.compile("adam", "mse")
model.fit(x, np.stack([x[:, 0], x[:, -1], x.mean(axis=1)], axis=1), epochs=2, verbose=0)
print(len(model.trainable_variables))
