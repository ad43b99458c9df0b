# Constants as variables, marked as not trainable, used in a Lambda and in a layer.
import numpy as np
import tensorflow as tf
from tensorflow import keras

means = tf.Variable([0.1, 0.2, 0.3], trainable=False)
table = tf.constant([1.0, 2.0, 3.0])
model = keras.Sequential(
    [
        keras.layers.Lambda(lambda x: (x - means) * table, output_shape=(3,)),
        keras.layers.Dense(1),
    ]
)
model.compile("sgd", "mse")
x = np.ones((8, 3), "float32")
model.fit(x, x[:, :1], epochs=2, verbose=0)
