# The helper makes a new Input each time it is asked for one.
from tensorflow import keras


def make_input():
    return keras.Input((12,), name="signal")  # why: TW305


def encoder():
    x = keras.layers.Dense(6, activation="relu")(make_input())
    return keras.layers.Dense(3)(x)


model = keras.Model(make_input(), encoder())
