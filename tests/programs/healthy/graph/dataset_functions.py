"""Functions given to tf.data that use only tensors, `tf.py_function` and captured constants."""

import numpy as np
import tensorflow as tf

mean = tf.constant([0.5, 0.5])


def normalise(x, y):
    return x - mean, y


def in_numpy(x, y):
    z = tf.py_function(lambda v: np.cumsum(v.numpy()), [x], tf.float64)
    z.set_shape(x.shape)
    return tf.cast(z, tf.float32), y


data = tf.data.Dataset.from_tensor_slices((tf.ones([4, 2]), tf.range(4)))
for x, y in data.map(normalise).map(in_numpy).filter(lambda x, y: y % 2 == 0).batch(2):
    print(x.numpy().tolist(), y.numpy().tolist())
