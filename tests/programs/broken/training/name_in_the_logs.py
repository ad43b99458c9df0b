"""A callback of the program's own looks for a metric by another name than `compile` gave it."""

import numpy as np
import tensorflow as tf


class Enough(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if logs["acc"] > 0.99:  # why: TW802
            self.model.stop_training = True


rng = np.random.default_rng(1)
x = rng.normal(size=(64, 4)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, (x[:, 0] > 0).astype("int32"), epochs=3, callbacks=[Enough()], verbose=0)
