"""A callback sets the first blocks free after two epochs; the step was traced before that."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class Thaw(keras.callbacks.Callback):
    """Frees the blocks of a backbone one after the other, from the last to the first."""

    def __init__(self, blocks, every):
        super().__init__()
        self.waiting = list(blocks)
        self.every = every

    def on_epoch_end(self, epoch, logs=None):
        if (epoch + 1) % self.every == 0 and self.waiting:
            self.free(self.waiting.pop())

    def free(self, block):
        block.trainable = True  # why: TW116


def make_model(blocks):
    inputs = x = keras.Input((6,))
    for block in blocks:
        x = block(x)
    return keras.Model(inputs, layers.Dense(1)(x))


blocks = [layers.Dense(5, activation="tanh", trainable=False, name=f"block{n}") for n in range(2)]
model = make_model(blocks)
model.compile(keras.optimizers.Adam(1e-2), "mse")
x = np.random.default_rng(0).normal(size=(24, 6)).astype("float32")
model.fit(x, x[:, :1], epochs=5, batch_size=8, callbacks=[Thaw(blocks, every=2)], verbose=0)
