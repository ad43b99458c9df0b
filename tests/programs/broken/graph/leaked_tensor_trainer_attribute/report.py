import tensorflow as tf


def smooth(values, momentum=0.9):
    average = tf.zeros([])
    for value in values:
        average = momentum * average + (1.0 - momentum) * value
    return average
