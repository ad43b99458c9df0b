# The builder decides by a value that does not exist yet.
from tensorflow import keras


def normalise(x, limit):
    largest = keras.layers.GlobalMaxPooling1D()(x)
    if largest > limit:  # why: TW302
        return x / limit
    return x


inputs = keras.Input((10, 1))
outputs = keras.layers.Flatten()(normalise(inputs, 5.0))
model = keras.Model(inputs, outputs)
