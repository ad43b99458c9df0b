"""Normalise images by their own statistics, compiled."""

import tensorflow as tf
from statistics_of import Moments

moments = Moments()


@tf.function
def normalise(images):
    mean, deviation = moments.many(images)
    return (images - mean[:, None, None]) / deviation[:, None, None]


print(normalise(tf.random.normal([4, 8, 8])).shape)
