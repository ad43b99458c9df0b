# requires: keras3
# Normalises embeddings with a TensorFlow function in the middle of a functional model.
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((16,))
embedded = keras.layers.Dense(8)(inputs)
unit = embedded / tf.sqrt(tf.reduce_sum(embedded * embedded, axis=-1, keepdims=True))  # why: TW302
model = keras.Model(inputs, unit)
