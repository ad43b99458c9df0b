# requires: keras3
# run: subprocess
# tf_keras beside TensorFlow, used consistently.
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
import tf_keras

inputs = tf_keras.Input((4,))
hidden = tf.nn.relu(tf_keras.layers.Dense(8)(inputs))
total = tf.reduce_sum(hidden, axis=1, keepdims=True)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(total))
model.compile("sgd", "mse")
x = np.ones((8, 4), "float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
