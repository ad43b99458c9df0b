import numpy as np
import tensorflow as tf


class PairLoss(tf.keras.losses.Loss):
    def call(self, y_true, y_pred):
        total = sum(self.one(t, p) for t, p in zip(y_true, y_pred))  # why: TW406
        return total / 4.0

    def one(self, t, p):
        return tf.reduce_sum(tf.abs(t - p))


model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
model.compile("adam", PairLoss())
model.fit(np.zeros((8, 3), "float32"), np.zeros((8, 2), "float32"), batch_size=4, verbose=0)
