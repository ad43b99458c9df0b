# An activation with a learned slope: the slope is a variable of the module.
import numpy as np
import tensorflow as tf
from tensorflow import keras

slope = tf.Variable(1.0, name="slope")  # why: TW601


def learned_swish(x):
    return x * tf.sigmoid(slope * x)


def build(width, depth):
    inputs = keras.Input((width,))
    x = inputs
    for _ in range(depth):
        x = keras.layers.Dense(16, activation=learned_swish)(x)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


rng = np.random.default_rng(0)
x = rng.normal(size=(64, 5)).astype("float32")
y = (x[:, :1] * x[:, 1:2]).astype("float32")
model = build(5, 2)
model.compile("adam", "mse")
model.fit(x, y, epochs=3, verbose=0)
print("slope after training:", float(slope))
