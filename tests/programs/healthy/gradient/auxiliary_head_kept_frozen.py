"""A pretrained auxiliary head is frozen and not used in this phase: nothing asks for its gradient."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(140)
rng = np.random.default_rng(140)


class TwoHeads(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.layers.Dense(8, activation="relu")
        self.main = keras.layers.Dense(1)
        self.auxiliary = keras.layers.Dense(3, name="auxiliary")
        self.auxiliary.build((None, 8))
        self.auxiliary.trainable = False

    def call(self, inputs):
        return self.main(self.body(inputs))

    def explain(self, inputs):
        return self.auxiliary(self.body(inputs))


model = TwoHeads()
model.compile(keras.optimizers.Adam(0.01), "mse")
x = rng.normal(size=(40, 4)).astype("float32")
history = model.fit(x, x[:, :1], epochs=2, batch_size=20, verbose=0)
print([round(v, 4) for v in history.history["loss"]], model.explain(x[:2]).shape)
