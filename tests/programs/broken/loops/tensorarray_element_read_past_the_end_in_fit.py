# An array of the graph is read behind its end, at run time, in a step that `fit` runs.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Pairs(keras.layers.Layer):
    """Differences of neighbours."""

    @tf.function
    def differences(self, x):
        steps = tf.shape(x)[1]
        rows = tf.TensorArray(tf.float32, size=steps).unstack(tf.transpose(x, [1, 0, 2]))
        found = tf.TensorArray(tf.float32, size=steps)
        for step in tf.range(steps):
            found = found.write(step, rows.read(step + 1) - rows.read(step))  # why: TW506
        return tf.transpose(found.stack(), [1, 0, 2])

    def call(self, x):
        return self.differences(x)

    def compute_output_shape(self, shape):
        return shape


inputs = keras.Input((None, 2))
model = keras.Model(inputs, keras.layers.Dense(1)(Pairs()(inputs)))
model.compile("sgd", "mse")
model.fit(np.ones((2, 5, 2), "float32"), np.ones((2, 5, 1), "float32"), verbose=0)
