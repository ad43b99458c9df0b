import numpy as np
import tensorflow as tf


def weighted_huber(y_true, y_pred):
    error = y_true.numpy() - y_pred.numpy()  # why: TW110
    small = np.abs(error) < 1.0
    loss = np.where(small, 0.5 * error**2, np.abs(error) - 0.5)
    return tf.constant(np.mean(loss * np.where(error > 0, 2.0, 1.0)), dtype=tf.float32)


rng = np.random.default_rng(2)
features = rng.normal(size=(40, 3)).astype("float32")
prices = features @ np.array([[1.0], [2.0], [-1.0]], dtype="float32")

model = tf.keras.models.Sequential()
model.add(tf.keras.Input((3,)))
model.add(tf.keras.layers.Dense(8, activation="relu"))
model.add(tf.keras.layers.Dense(1))
model.compile(optimizer="adam", loss=weighted_huber, run_eagerly=True)
model.fit(features, prices, epochs=1, batch_size=20, verbose=0)
