# An editor completed one import from TensorFlow's private copy of Keras.
from tensorflow import keras
from tensorflow.python.keras.layers import Dense  # why: TW304

inputs = keras.Input((3,))
hidden = Dense(4)(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
