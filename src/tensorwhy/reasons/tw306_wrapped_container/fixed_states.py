# The list is taken apart.
from tensorflow import keras

inputs = keras.Input((10, 4))
encoded, state_h, state_c = keras.layers.LSTM(8, return_state=True)(inputs)
outputs = keras.layers.Dense(1)(encoded)
model = keras.Model(inputs, outputs)
assert tuple(model.outputs[0].shape) == (None, 1)
