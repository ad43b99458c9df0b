"""A notebook: `encoder` was a function that builds, and is a model since the cell was run."""
import keras


def encoder(units):
    inputs = keras.Input((8,))
    return keras.Model(inputs, keras.layers.Dense(units)(inputs))


encoder = encoder(4)
wide = encoder(16)  # why: TW701
print(wide)
