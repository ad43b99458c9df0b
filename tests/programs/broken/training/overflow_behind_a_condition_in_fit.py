# requires: tf>=2.16
"""A curve overflows for large inputs, in a branch that is not taken: 0 times infinity is NaN, in a late batch."""

import numpy as np
import tensorflow as tf

times = np.concatenate([np.linspace(0.0, 2.0, 120), np.linspace(100.0, 120.0, 8)]).astype("float32")[:, None]
sizes = np.where(times < 15.0, np.exp(0.5 * times), times).astype("float32")


class Growth(tf.keras.layers.Layer):
    def build(self, shape):
        self.rate = self.add_weight(shape=(1,), initializer="ones", name="rate")
        self.gain = self.add_weight(shape=(1,), initializer="ones", name="gain")

    def call(self, inputs):
        curve = tf.exp(self.rate * inputs)  # why: TW211
        return tf.where(inputs < 15.0, curve, self.gain * inputs)


model = tf.keras.Sequential([tf.keras.Input((1,)), Growth()])
model.compile(optimizer=tf.keras.optimizers.SGD(0.001), loss="mse")
model.fit(times, sizes, batch_size=16, epochs=4, shuffle=False, verbose=0)
