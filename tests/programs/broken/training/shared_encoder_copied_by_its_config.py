"""The copy of a model with a shared encoder has two of it, which are trained apart."""
import numpy as np
import tensorflow as tf

encoder = tf.keras.layers.Dense(3, name="encoder")


def branch(name):
    sample = tf.keras.Input((4,))
    return tf.keras.Model(sample, tf.keras.layers.Dense(1)(encoder(sample)), name=name)


first, second = tf.keras.Input((4,)), tf.keras.Input((4,))
model = tf.keras.Model([first, second], branch("query")(first) - branch("item")(second))
twin = tf.keras.Model.from_config(model.get_config())  # why: TW117
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
twin.compile("adam", "mse")
twin.fit([x, x[::-1]], x[:, :1], verbose=0)
