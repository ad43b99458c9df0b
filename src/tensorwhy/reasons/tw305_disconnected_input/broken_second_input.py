# The Input is made again after the layers were called on the first one.
from tensorflow import keras

inputs = keras.Input((8,))
hidden = keras.layers.Dense(4, activation="relu")(inputs)
score = keras.layers.Dense(1)(hidden)

inputs = keras.Input((8,))  # why: TW305
model = keras.Model(inputs, score)
