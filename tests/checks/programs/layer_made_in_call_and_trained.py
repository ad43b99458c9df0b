"""A model whose `call` makes layers, and that is trained in the same file."""

import numpy as np
from keras import Model, layers


class Net(Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(1)

    def call(self, inputs):
        hidden = layers.Dense(8, activation="relu")(inputs)  # why: TW408
        return self.head(hidden)


net = Net()
net.compile("sgd", "mse")
net.fit(np.zeros((4, 8)), np.zeros((4, 1)))
