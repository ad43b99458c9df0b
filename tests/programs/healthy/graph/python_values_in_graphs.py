"""Static shapes, Python numbers and NumPy constants inside of traced functions."""

import numpy as np
import tensorflow as tf

table = np.arange(12.0, dtype="float32").reshape(3, 4)


class Window(tf.keras.layers.Layer):
    def call(self, inputs):
        length = int(inputs.shape[1])
        window = np.hanning(length).astype("float32")
        return inputs * window / len(window)


@tf.function
def lookup(i):
    rows = tf.constant(table)
    pieces = [rows[j] * float(np.sqrt(j + 1)) for j in range(rows.shape[0])]
    return tf.gather(tf.stack(pieces), i)


print(lookup(tf.constant(1)).numpy())
model = tf.keras.Sequential([Window(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.ones((4, 5), "float32")
print(sorted(model.fit(x, x[:, :1], verbose=0).history))
