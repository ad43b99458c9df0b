# One Input, used by the layers and by the model.
from tensorflow import keras

inputs = keras.Input((8,))
hidden = keras.layers.Dense(4, activation="relu")(inputs)
score = keras.layers.Dense(1)(hidden)

model = keras.Model(inputs, score)
assert len(model.layers) == 3
