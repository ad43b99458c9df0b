# requires: keras3
# The statistics of a layer's symbolic output, as if it were an array.
import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


class Inspector:
    def __init__(self, model):
        self.model = model

    def statistics(self, name):
        output = self.model.get_layer(name).output
        values = K.get_value(output)
        return values.mean(), values.std()  # why: TW303


inputs = keras.Input((4,))
x = keras.layers.Dense(3, activation="relu", name="hidden")(inputs)
model = keras.Model(inputs, keras.layers.Dense(1)(x))
model.compile("sgd", "mse")
data = np.ones((8, 4), "float32")
model.fit(data, data[:, :1], verbose=0)
print(Inspector(model).statistics("hidden"))
