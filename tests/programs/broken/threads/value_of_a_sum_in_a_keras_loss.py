# requires: keras2
# The weight of a class depends on how often it occurs in the batch: read with K.eval.
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models


def frequency(y_true):
    counts = K.eval(K.sum(y_true, axis=0))  # why: TW406
    return counts / max(counts.sum(), 1.0)


def weighted_crossentropy(y_true, y_pred):
    y_pred = K.clip(y_pred, 1e-6, 1.0 - 1e-6)
    weights = 1.0 / (frequency(y_true) + 0.1)
    return -K.sum(weights * y_true * K.log(y_pred), axis=-1)


def build(classes):
    model = models.Sequential()
    model.add(layers.Dense(12, activation="relu", input_shape=(6,)))
    model.add(layers.Dense(classes, activation="softmax"))
    model.compile(optimizer="adam", loss=weighted_crossentropy)
    return model


labels = tf.keras.utils.to_categorical(np.random.randint(0, 3, 32), 3)
build(3).fit(np.random.rand(32, 6), labels, epochs=1, verbose=0)
