import numpy as np
import tensorflow as tf


def normalise(images):
    mean = tf.reduce_mean(images, axis=(1, 2), keepdims=True)
    return images - mean


def evaluate(tensor):
    with tf.compat.v1.Session() as session:
        return session.run(tensor)  # why: TW407


images = np.ones((2, 4, 4, 3), "float32")
print(evaluate(normalise(images)).shape)
