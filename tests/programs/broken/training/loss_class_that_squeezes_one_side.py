"""A loss of its own class takes the last axis from the predictions, and not from the labels."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(1)
rooms = generator.normal(size=(70, 3)).astype("float32")
rents = (rooms @ np.array([[1.0], [2.0], [-1.0]], "float32")).astype("float32")


class Absolute(tf.keras.losses.Loss):
    def call(self, y_true, y_pred):
        y_pred = tf.squeeze(y_pred, axis=-1)
        distance = y_true - y_pred  # why: TW801
        return tf.abs(distance)


model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", Absolute())
model.fit(rooms, rents, batch_size=16, epochs=2, verbose=0)
