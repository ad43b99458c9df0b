# requires: keras3
import tensorflow as tf


def leaky(x):
    if tf.reduce_mean(x) > 0:  # why: TW302
        return x
    return 0.1 * x


inputs = tf.keras.Input((6,))
x = leaky(tf.keras.layers.Dense(4)(inputs))
model = tf.keras.Model(inputs, x)
