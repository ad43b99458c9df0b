"""The gradient is asked for a NumPy array instead of the tensor made of it: TensorFlow raises AttributeError.

Converted once to a tensor, watched and asked for, the same input has a gradient.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(96)
rng = np.random.default_rng(96)
model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(1)])


def sensitivity(sample):
    with tf.GradientTape() as tape:
        output = model(sample)
    return tape.gradient(output, sample)


sample = rng.normal(size=(3, 4)).astype("float32")  # why: TW101
sensitivities = sensitivity(sample)
print("most sensitive feature", int(tf.argmax(tf.reduce_mean(tf.abs(sensitivities), axis=0))))
