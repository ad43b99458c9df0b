"""The weights of a network are given to its twin."""
import tensorflow as tf

keras = tf.keras


def network(width):
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(width), keras.layers.Dense(2)])


first, second = network(8), network(8)
first.set_weights(second.get_weights())
