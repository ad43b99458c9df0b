# requires: keras2
# Dropout at prediction, the old way: the learning phase is given where an input is expected.
import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


def regressor(width):
    inputs = keras.Input((width,))
    x = keras.layers.Dense(16, activation="relu")(inputs)
    x = keras.layers.Dropout(0.5)(x)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


class MonteCarlo:
    def __init__(self, model, training=1):
        self.model = model
        self.function = K.function([model.layers[0].input, training], [model.layers[-1].output])  # why: TW301

    def predict(self, x, samples):
        draws = np.stack([self.function([x, 1])[0] for _ in range(samples)])
        return draws.mean(axis=0), draws.std(axis=0)


model = regressor(5)
mean, spread = MonteCarlo(model).predict(np.zeros((4, 5), "float32"), 10)
print(mean.shape, spread.shape)
