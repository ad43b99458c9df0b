import numpy as np
import tensorflow as tf


def loss(y_true, y_pred):
    error = tf.cast(y_true, y_pred.dtype) - y_pred
    print("largest error", error.numpy().max())  # why: TW406
    return tf.reduce_mean(tf.square(error))


model = tf.keras.models.Sequential()
model.add(tf.keras.layers.Flatten())
model.add(tf.keras.layers.Dense(10, activation="relu"))
model.add(tf.keras.layers.Dense(3, activation="softmax"))
model.compile(optimizer="adam", loss=loss)
images = np.random.default_rng(0).uniform(size=(12, 4, 4)).astype("float32")
model.fit(images, np.eye(3, dtype="float32")[np.arange(12) % 3], verbose=0)
