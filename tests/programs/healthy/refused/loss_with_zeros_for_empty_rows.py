"""The loss is 0 for rows without a label, and keeps them; it is weighted, too."""
import numpy as np
import tensorflow as tf


def distance(wanted, got):
    kept = tf.where(wanted >= 0, tf.cast(wanted, got.dtype) - got, tf.zeros_like(got))
    return tf.reduce_sum(tf.square(kept), axis=-1)


rng = np.random.default_rng(0)
x, y = rng.normal(size=(32, 4)).astype("float32"), rng.integers(-1, 2, size=(32, 1))
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("sgd", distance)
model.fit(x, y, batch_size=8, verbose=0)
model.fit(x, y, batch_size=8, sample_weight=1.0 + (y[:, 0] > 0), verbose=0)
