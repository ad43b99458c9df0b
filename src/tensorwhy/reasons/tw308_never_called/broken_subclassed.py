# A subclassed model that was only called on values is to be part of another model.
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
shifted = keras.layers.Rescaling(0.5)(classifier.output)  # why: TW308
model = keras.Model(classifier.input, shifted)
