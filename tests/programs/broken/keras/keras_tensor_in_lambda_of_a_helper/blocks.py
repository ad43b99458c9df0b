"""Blocks that modulate features by what a condition says."""
from tensorflow.keras import layers


def film(gamma, beta):
    """A layer that scales and shifts by tensors of a condition network."""
    return layers.Lambda(lambda x: x * gamma + beta, name="film")  # why: TW303


def condition_network(condition, width):
    hidden = layers.Dense(8, activation="relu")(condition)
    return layers.Dense(width, name="gamma")(hidden), layers.Dense(width, name="beta")(hidden)
