"""Layers that are frozen and set free when it counts: by callbacks before the first step, inside of bases, in turns."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.default_rng(0).normal(size=(32, 8)).astype("float32")
y = (x[:, :1] > 0).astype("float32")


def make_base(name):
    inputs = hidden = keras.Input((8,))
    for stage in range(3):
        hidden = layers.Dense(6, activation="tanh", name=f"{name}{stage}")(hidden)
    return keras.Model(inputs, hidden, name=name)


def weights(network):
    return np.concatenate([each.ravel() for each in network.get_weights()])


class FreezeFirst(keras.callbacks.Callback):
    """Before anything is traced."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def on_train_begin(self, logs=None):
        self.layer.trainable = False


class StopsSoon(keras.callbacks.Callback):
    """Frees what the next phase trains when this one is over."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def on_epoch_end(self, epoch, logs=None):
        if epoch == 1:
            self.model.stop_training = True
            self.network.trainable = True


base = make_base("base")
base.trainable = False
model = keras.Sequential([base, layers.Dense(1, activation="sigmoid")])
model.compile(keras.optimizers.Adam(1e-2), "binary_crossentropy")
before = weights(base)
model.fit(x, y, epochs=4, callbacks=[StopsSoon(base)], verbose=0)
assert np.array_equal(before, weights(base))
for layer in base.layers[:2]:
    layer.trainable = False  # the base itself is free again
model.compile(keras.optimizers.Adam(1e-3), "binary_crossentropy")
model.fit(x, y, epochs=2, verbose=0)
assert not np.array_equal(before, weights(base))

other = make_base("other")
model = keras.Sequential([other, layers.Dense(1)])
model.compile(keras.optimizers.SGD(1e-2), "mse")
first, before = other.layers[1], weights(other.layers[1])
model.fit(x, y, epochs=2, callbacks=[FreezeFirst(first)], verbose=0)
assert np.array_equal(before, weights(first))

teacher, student = make_base("teacher"), make_base("student")
for turn in range(2):
    for network, learns in ((teacher, turn == 0), (student, turn == 1)):
        network.trainable = learns
    inputs = keras.Input((8,))
    both = keras.Model(inputs, layers.Subtract()([teacher(inputs), student(inputs)]))
    both.compile("adam", "mse")
    both.fit(x, np.zeros((32, 6)), verbose=0)
