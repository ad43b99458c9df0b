# requires: keras3
# run: subprocess
# tf_keras: a variable of a closure is used in a Lambda, and trained by nothing.
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
from tensorflow import keras


def scaled(x):
    gain = tf.Variable(2.0)  # why: TW601
    return keras.layers.Lambda(lambda t: t * gain)(x)


inputs = keras.Input((4,))
model = keras.Model(inputs, keras.layers.Dense(1)(scaled(inputs)))
model.compile("sgd", "mse")
x = np.ones((8, 4), "float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
