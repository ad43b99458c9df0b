# Feature-wise modulation: a Lambda closes over tensors of another branch.
import blocks
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build():
    signal, condition = keras.Input((6,), name="signal"), keras.Input((3,), name="condition")
    x = layers.Dense(5)(signal)
    gamma, beta = blocks.condition_network(condition, 5)
    x = blocks.film(gamma, beta)(x)
    return keras.Model([signal, condition], layers.Dense(1)(x))


model = build()
model.compile("adam", "mse")
model.fit([np.zeros((4, 6), "float32"), np.zeros((4, 3), "float32")], np.zeros((4, 1)), verbose=0)
