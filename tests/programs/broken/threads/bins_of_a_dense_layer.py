"""A tabular model sorts what it learned into bins before an embedding: the first layer is not trained."""
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
inputs = tf.keras.Input((5,))
risk = layers.Dense(3, name="risk")(inputs)
bins = layers.Discretization(bin_boundaries=[-1.0, -0.5, 0.0, 0.5, 1.0])(risk)
vectors = layers.Flatten()(layers.Embedding(6, 4)(bins))  # why: TW108
model = tf.keras.Model(inputs, layers.Dense(1)(vectors))
model.compile("adam", "mse")
x = np.random.randn(64, 5).astype("float32")
model.fit(x, x[:, :1], epochs=2, verbose=0)
