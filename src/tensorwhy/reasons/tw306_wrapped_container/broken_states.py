# An LSTM that returns its states gives three tensors, and Dense takes one.
from tensorflow import keras

inputs = keras.Input((10, 4))
encoded = keras.layers.LSTM(8, return_state=True)(inputs)  # why: TW306
outputs = keras.layers.Dense(1)(encoded)
model = keras.Model(inputs, outputs)
