# A loss computes its values in a method by another name, and the class itself inherits from one that has none either.
import numpy as np
from tensorflow import keras


class Scaled(keras.losses.Loss):
    scale = 2.0


class Distance(Scaled):  # why: TW701
    def compute(self, y_true, y_pred):
        return self.scale * (y_true - y_pred) ** 2


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", Distance())
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
