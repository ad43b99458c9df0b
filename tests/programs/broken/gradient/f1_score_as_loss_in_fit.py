"""`fit` with a hard F1 score as its loss raises that no gradient was provided: `round` has no gradient.

With the probabilities themselves in place of the rounded ones (a soft F1) the model trains.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(26)
rng = np.random.default_rng(26)
x = rng.normal(size=(120, 5)).astype("float32")
y = (x[:, :1] + x[:, 1:2] > 0).astype("float32")


def f1_loss(y_true, y_pred):
    y_true = tf.cast(y_true, tf.float32)
    y_hard = tf.round(y_pred)  # why: TW106
    tp = tf.reduce_sum(y_hard * y_true, axis=0)
    fp = tf.reduce_sum(y_hard * (1 - y_true), axis=0)
    fn = tf.reduce_sum((1 - y_hard) * y_true, axis=0)
    precision = tp / (tp + fp + 1e-7)
    recall = tp / (tp + fn + 1e-7)
    f1 = 2 * precision * recall / (precision + recall + 1e-7)
    return 1 - tf.reduce_mean(f1)


model = keras.Sequential(
    [
        keras.layers.Dense(8, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer="adam", loss=f1_loss, metrics=["accuracy"])
model.fit(x, y, epochs=2, batch_size=40, verbose=0)
print("accuracy", model.evaluate(x, y, verbose=0)[1])
