"""Statistics of single images."""

import tensorflow as tf


class Moments:
    """Mean and standard deviation, for each image."""

    def one(self, image):
        mean = tf.reduce_mean(image)
        return mean, tf.math.reduce_std(image)

    def many(self, images):
        return tf.map_fn(self.one, images)  # why: TW501
