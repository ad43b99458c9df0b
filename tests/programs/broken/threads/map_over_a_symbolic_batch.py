# requires: keras3
import tensorflow as tf


def per_sample(sample):
    return tf.linalg.matmul(sample, sample, transpose_b=True)


inputs = tf.keras.Input((5, 3))
x = tf.keras.layers.Dense(4)(inputs)
gram = tf.map_fn(per_sample, x)  # why: TW302
model = tf.keras.Model(inputs, tf.keras.layers.Flatten()(gram))
