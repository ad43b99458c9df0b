# The head returns its last tensor.
from tensorflow import keras


def head(x):
    x = keras.layers.Dense(8, activation="relu")(x)
    return keras.layers.Dense(1)(x)


inputs = keras.Input((4,))
outputs = head(inputs)
model = keras.Model(inputs, outputs)
assert len(model.layers) == 3
