# A list of the model's own is looked into.
import numpy as np
from tensorflow import keras


class Mixture(keras.Model):
    def __init__(self):
        super().__init__()
        self.experts = [keras.layers.Dense(8, activation="relu") for _ in range(2)]
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(sum(layer(x) for layer in self.experts))


model = Mixture()
model.compile(optimizer="sgd", loss="mse")
features = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model.fit(features, features.sum(axis=1, keepdims=True), epochs=1, verbose=0)
assert len(model.trainable_variables) == 6
