import numpy as np
import tensorflow as tf


def distances(masks):
    filled = masks > 0.5
    return np.cumsum(filled, axis=1).astype(np.float32) - 1.0


def surface_loss(y_true, y_pred):
    wanted = tf.numpy_function(distances, [y_true], tf.float32)
    found = tf.numpy_function(distances, [y_pred], tf.float32)  # why: TW111
    return tf.reduce_mean(tf.abs(wanted - found))
