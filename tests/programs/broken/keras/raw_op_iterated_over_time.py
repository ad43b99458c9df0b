# A recurrent cell is unrolled by a Python loop over a sequence of the plan.
from tensorflow import keras
from tensorflow.keras import layers


class Unrolled:
    """Steps of a gated cell, one after the other."""

    def __init__(self, units):
        self.update = layers.Dense(units, activation="sigmoid")
        self.candidate = layers.Dense(units, activation="tanh")

    def step(self, x, state):
        both = layers.Concatenate()([x, state])
        gate = self.update(both)
        return gate * state + (1.0 - gate) * self.candidate(both)

    def run(self, sequence, state):
        states = []
        for x in sequence:  # why: TW302
            state = self.step(x, state)
            states.append(state)
        return states


def build(width, units):
    sequence = keras.Input((None, width))
    start = keras.Input((units,))
    states = Unrolled(units).run(sequence, start)
    return keras.Model([sequence, start], states[-1])


build(4, 8)
