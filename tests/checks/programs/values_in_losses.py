"""Values that losses and metrics ask of tensors, which `fit` traces."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def by_numpy(y_true, y_pred):
    return tf.convert_to_tensor(np.abs(y_true - y_pred))  # why: TW406


def by_value(y_true, y_pred):
    total = tf.reduce_sum(y_pred)
    print(total.numpy())  # why: TW406
    return tf.reduce_mean(tf.square(y_true - y_pred))


def compiled():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss=by_numpy, metrics=["mae", by_value])
    model.compile("adam", loss=lambda y, p: np.sum(y - p))  # why: TW406


# What is called by itself, too, or is no function of tensors.


def also_called(y_true, y_pred):
    return np.abs(y_true - y_pred)


def by_tensorflow(y_true, y_pred):
    scale = np.sqrt(2.0)
    rank = int(np.prod(y_pred.shape[1:]))
    return tf.reduce_mean(tf.abs(y_true - y_pred)) * scale / rank


def weighted(weight, rate=0.5):
    factor = float(np.sqrt(weight))

    def loss(y_true, y_pred):
        return tf.reduce_mean(y_true - y_pred) * factor * float(rate)

    return loss


def _python(y_true, y_pred):
    return np.mean(y_true.numpy() == y_pred.numpy())


def by_way_of_python(y_true, y_pred):
    return tf.py_function(_python, [y_true, y_pred], tf.float32)


def only_for_another_class(y_true, y_pred):
    return np.abs(y_true - y_pred)


def compiled_with_others(another):
    model = keras.Sequential([keras.layers.Dense(1)])
    print(also_called(np.ones(3), np.zeros(3)))
    model.compile(optimizer=keras.optimizers.Adam(), loss=also_called, metrics=[by_way_of_python])
    model.compile(optimizer="adam", loss=by_tensorflow)
    model.compile(optimizer="adam", loss=weighted(2.0))
    model.compile(loss="mse", metrics=["mae"])
    another.compile(loss=only_for_another_class)
