# requires: keras3
# A layer asks for the truth and the length of what it computes, in a helper.
import numpy as np
import tensorflow as tf
from tensorflow import keras


def first_rows(x, count):
    if bool(count > 2):  # why: TW406
        return x[:2]
    return x


class Limit(keras.layers.Layer):
    def call(self, x):
        return first_rows(x, tf.reduce_sum(tf.cast(x > 0, tf.int32)))


inputs = keras.Input((3,))
model = keras.Model(inputs, Limit()(inputs))
print(model.predict(np.ones((2, 3)), verbose=0))
