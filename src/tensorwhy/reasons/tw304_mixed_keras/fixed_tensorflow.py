# All from one package.
from tensorflow import keras
from tensorflow.keras.layers import Dense

inputs = keras.Input((3,))
hidden = Dense(4)(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
assert model.count_params() == 21
