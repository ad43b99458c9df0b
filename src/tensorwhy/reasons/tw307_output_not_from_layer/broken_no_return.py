# The function that builds the head forgets its return.
from tensorflow import keras


def head(x):
    x = keras.layers.Dense(8, activation="relu")(x)
    x = keras.layers.Dense(1)(x)


inputs = keras.Input((4,))
outputs = head(inputs)
model = keras.Model(inputs, outputs)  # why: TW307
