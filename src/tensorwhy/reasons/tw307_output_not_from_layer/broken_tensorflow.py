# A learned temperature is returned beside the logits as a bare variable.
import tensorflow as tf
from tensorflow import keras

temperature = tf.Variable(1.0)  # why: TW307
inputs = keras.Input((4,))
logits = keras.layers.Dense(3)(inputs)
model = keras.Model(inputs, [logits, temperature])
