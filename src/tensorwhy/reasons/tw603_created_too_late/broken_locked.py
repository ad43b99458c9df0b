# requires: keras3
# A layer is added to a model that has been called already.
import numpy as np
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [keras.layers.Dense(4)]
        self.head = keras.layers.Dense(1)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


model = Net()
model(np.ones((2, 4), "float32"))
model.blocks.append(keras.layers.Dense(4))  # why: TW603
