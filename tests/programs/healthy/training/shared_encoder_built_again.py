"""The twin of a model with a shared encoder is built by the same function: it shares an encoder of its own."""
import numpy as np
import tensorflow as tf


def build():
    encoder = tf.keras.layers.Dense(3, name="encoder")

    def branch(name):
        sample = tf.keras.Input((4,))
        return tf.keras.Model(sample, tf.keras.layers.Dense(1)(encoder(sample)), name=name)

    first, second = tf.keras.Input((4,)), tf.keras.Input((4,))
    return tf.keras.Model([first, second], branch("query")(first) - branch("item")(second))


model, twin = build(), build()
twin.set_weights(model.get_weights())
inner = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, name="encoder")])
copy = tf.keras.models.clone_model(inner)
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
for each in (model, twin):
    each.compile("adam", "mse")
    each.fit([x, x[::-1]], x[:, :1], verbose=0)
copy.compile("adam", "mse")
copy.fit(x, x[:, :3], verbose=0)
