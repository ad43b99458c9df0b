# The model is called on an Input first.
import numpy as np
from tensorflow import keras


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(4, activation="relu")
        self.scores = keras.layers.Dense(2)

    def call(self, inputs):
        return self.scores(self.hidden(inputs))


classifier = Classifier()
classifier.predict(np.zeros((2, 3), "float32"), verbose=0)
x = keras.Input((3,))
shifted = keras.layers.Rescaling(0.5)(classifier(x))
model = keras.Model(x, shifted)
assert model.output_shape == (None, 2)
