import numpy as np
import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def __init__(self, ratio):
        super().__init__()
        self.ratio = ratio

    def call(self, inputs):
        channels = inputs.shape[-1]
        squeezed = tf.reduce_mean(inputs, axis=1)
        hidden = tf.keras.layers.Dense(channels // self.ratio, activation="relu")(squeezed)  # why: TW408
        scale = tf.keras.layers.Dense(channels, activation="sigmoid")(hidden)
        return inputs * scale[:, None, :]


model = tf.keras.Sequential(
    [
        tf.keras.Input((6, 4)),
        tf.keras.layers.Conv1D(8, 3, padding="same"),
        Gate(2),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1),
    ]
)
model.compile("adam", "mse")
model.fit(np.zeros((8, 6, 4), "float32"), np.zeros((8, 1), "float32"), verbose=0)
