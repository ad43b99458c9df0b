"""Differences between neighbouring readings of a sensor."""

import tensorflow as tf


def readings(values):
    array = tf.TensorArray(tf.float32, size=len(values))
    for index, value in enumerate(values):
        array = array.write(index, value)
    return array


def difference(array, index):
    return array.read(index + 1) - array.read(index)  # why: TW507


def differences(array):
    return [float(difference(array, index)) for index in range(int(array.size()) - 1)]


print(differences(readings([1.0, 4.0, 9.0])))
