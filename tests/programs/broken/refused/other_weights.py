"""The weights of a wide network are given to a narrow one."""
import tensorflow as tf

keras = tf.keras


def network(width):
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(width), keras.layers.Dense(2)])


narrow, wide = network(8), network(16)
narrow.set_weights(wide.get_weights())  # why: TW701
