# The same classifier, assembled from a symbolic input; the data go to the finished model.
import tensorflow as tf
from tensorflow import keras

features = tf.random.normal((32, 8))
inputs = keras.Input(shape=(8,))
hidden = keras.layers.Dense(16, activation="relu")(inputs)
logits = keras.layers.Dense(3)(hidden)

model = keras.Model(inputs=inputs, outputs=logits)
assert len(model.layers) == 3
assert tuple(model(features).shape) == (32, 3)
