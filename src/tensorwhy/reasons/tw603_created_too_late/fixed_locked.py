# requires: keras3
# All layers are made before the model is called.
import numpy as np
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = [keras.layers.Dense(4) for _ in range(blocks)]
        self.head = keras.layers.Dense(1)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


model = Net(2)
model(np.ones((2, 4), "float32"))
assert len(model.trainable_variables) == 6
