"""A schedule divides integers: its learning rate is 0 in each of these epochs."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])


def warm_up(epoch, rate):
    return 0.01 * (epoch // 10)  # why: TW604


model.compile(optimizer=tf.keras.optimizers.SGD(0.01), loss="mse")
model.fit(
    features, labels, epochs=3, batch_size=16, verbose=0, callbacks=[tf.keras.callbacks.LearningRateScheduler(warm_up)]
)
