# The towers of a two-tower model are bundled in a dataclass.
import dataclasses

import numpy as np
from tensorflow import keras


@dataclasses.dataclass
class Towers:
    query: keras.layers.Layer
    item: keras.layers.Layer


def make_towers(width):
    return Towers(query=keras.layers.Dense(width), item=keras.layers.Dense(width))


class TwoTower(keras.Model):
    def __init__(self, width=4):
        super().__init__()
        self.towers = make_towers(width)  # why: TW602
        self.score = keras.layers.Dense(1)

    def call(self, inputs):
        query, item = inputs[:, :3], inputs[:, 3:]
        return self.score(self.towers.query(query) * self.towers.item(item))


model = TwoTower()
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(32, 6)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
