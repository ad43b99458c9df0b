# A loss keeps its predictions, to look at them after training.
import numpy as np
import tensorflow as tf
from tensorflow import keras

history = {"predictions": [], "errors": []}


class Recorded(keras.losses.Loss):
    def __init__(self, delta):
        super().__init__()
        self.delta = delta

    def call(self, y_true, y_pred):
        error = tf.cast(y_true, y_pred.dtype) - y_pred
        history["errors"].append(tf.reduce_mean(tf.abs(error)))  # why: TW403
        small = tf.minimum(tf.abs(error), self.delta)
        return 0.5 * small**2 + self.delta * (tf.abs(error) - small)


def report():
    curve = [float(value) for value in history["errors"]]
    return min(curve), max(curve)


inputs = keras.Input((4,))
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
model.compile("sgd", Recorded(1.0))
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model.fit(x, x.sum(axis=1, keepdims=True), epochs=2, verbose=0)
print(report())
