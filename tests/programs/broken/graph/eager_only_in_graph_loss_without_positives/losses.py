import tensorflow as tf
from tensorflow import keras


class Focal(keras.losses.Loss):
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma

    def normaliser(self, y_true):
        positives = tf.reduce_sum(y_true)
        if positives == 0:  # why: TW406
            return 1.0
        return positives

    def call(self, y_true, y_pred):
        y_pred = tf.clip_by_value(y_pred, 1e-6, 1 - 1e-6)
        matching = tf.where(y_true > 0.5, y_pred, 1 - y_pred)
        return -tf.reduce_sum((1 - matching) ** self.gamma * tf.math.log(matching)) / self.normaliser(y_true)
