"""Two heads, and `compile` has a loss for one of them."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def read(tokens, size):
    x = layers.Embedding(size, 8)(tokens)
    return layers.GRU(6)(x)


def build(size, departments):
    ticket = keras.Input((9,), dtype="int32", name="ticket")
    x = read(ticket, size)
    priority = layers.Dense(1, activation="sigmoid", name="priority")(x)
    hidden = layers.Dense(8, activation="relu", name="routing")(x)
    department = layers.Dense(departments, activation="softmax", name="department")(hidden)  # why: TW115
    return keras.Model(ticket, {"priority": priority, "department": department})


rng = np.random.default_rng(0)
model = build(40, 4)
model.compile(keras.optimizers.RMSprop(1e-3), loss={"priority": keras.losses.BinaryCrossentropy()})
tickets = rng.integers(0, 40, (24, 9))
model.fit(tickets, {"priority": rng.uniform(size=(24, 1))}, epochs=2, batch_size=8, verbose=0)
