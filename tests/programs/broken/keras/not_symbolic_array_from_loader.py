# The loader returns arrays; the builder takes whatever it is given as the model's input.
import numpy as np
from tensorflow import keras


def load(split):
    rng = np.random.default_rng(len(split))
    return rng.normal(size=(64, 10)).astype("float32"), rng.integers(0, 2, size=(64, 1))


class Trainer:
    def __init__(self, width):
        self.width = width

    def build(self, x):
        hidden = keras.layers.Dense(self.width, activation="relu")
        head = keras.layers.Dense(1, activation="sigmoid")
        return keras.Model(x, head(hidden(x)))

    def run(self):
        x_train, y_train = load("train")  # why: TW301
        model = self.build(x_train)
        model.compile("adam", "binary_crossentropy")
        model.fit(x_train, y_train, verbose=0)


Trainer(8).run()
