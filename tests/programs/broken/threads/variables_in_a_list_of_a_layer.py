# requires: keras3
import numpy as np
import tensorflow as tf


class Cascade(tf.keras.layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.first = self.add_weight(shape=(1,), initializer="ones", name="first")
        self.factors = []
        for number in range(size):
            self.factors.append(tf.Variable(float(number + 1), name=f"factor{number}"))  # why: TW601

    def call(self, x):
        x = x * self.first
        for factor in self.factors:
            x = x * factor
        return x


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.cascade = Cascade(3)

    def call(self, x):
        return self.cascade(x)


model = Model()
model.compile("sgd", "mse")
x = np.ones((4, 2), "float32")
model.fit(x, 2 * x, verbose=0)
