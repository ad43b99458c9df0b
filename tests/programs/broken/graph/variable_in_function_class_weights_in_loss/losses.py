import tensorflow as tf


def weighted_crossentropy(weights):
    """Cross-entropy in which rare classes count more."""

    def loss(y_true, y_pred):
        w = tf.Variable(weights, dtype=tf.float32)  # why: TW408
        y_pred = y_pred / tf.reduce_sum(y_pred, axis=-1, keepdims=True)
        y_pred = tf.clip_by_value(y_pred, 1e-7, 1 - 1e-7)
        return -tf.reduce_sum(y_true * tf.math.log(y_pred) * w, axis=-1)

    return loss
