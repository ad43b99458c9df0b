# Looks for private attributes, and is content without them.
import numpy as np
import tensorflow as tf
from tensorflow import keras

x = tf.zeros((2, 3))
try:
    x._keras_history
except AttributeError:
    print("no history")
assert getattr(np.zeros(3), "_keras_history", None) is None

try:
    keras.Model(x, keras.layers.Dense(1)(x))
except (ValueError, TypeError):
    print("not a model")

inputs = keras.Input((3,))
try:
    len(inputs) or list(inputs)
except TypeError:
    print("no length")
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
print(model(x).shape)
