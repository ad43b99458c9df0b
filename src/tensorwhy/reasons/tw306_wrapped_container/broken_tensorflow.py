# One layer of the chain is created and never called.
from tensorflow import keras

inputs = keras.Input((8,))
x = keras.layers.Dense(16, activation="relu")(inputs)
x = keras.layers.Dropout(0.5)  # why: TW306
outputs = keras.layers.Dense(1)(x)
model = keras.Model(inputs, outputs)
