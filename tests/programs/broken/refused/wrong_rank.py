"""A convolution gets pictures without their channel axis."""
import numpy as np
import keras


def network():
    return keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(2)])


pictures = np.zeros((8, 28, 28), "float32")
model = network()
print(model(pictures).shape)  # why: TW701
