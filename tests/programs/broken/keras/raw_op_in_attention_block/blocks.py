"""Blocks of layers."""
import tensorflow as tf
from tensorflow.keras import layers


def attention_pooling(sequence, units):
    scores = layers.Dense(1)(layers.Dense(units, activation="tanh")(sequence))
    weights = layers.Softmax(axis=1)(scores)
    weighted = layers.Multiply()([sequence, weights])
    return tf.reduce_sum(weighted, axis=1)  # why: TW302
