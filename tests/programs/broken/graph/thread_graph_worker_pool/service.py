import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


class Predictor:
    def __init__(self, width, threshold=0.5):
        self.threshold = threshold
        self.x = tf.placeholder(tf.float32, [None, width])
        weights = tf.get_variable("weights", [width, 1])
        self.score = tf.matmul(self.x, weights)
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())

    def predict(self, row):
        positive = tf.greater(self.score, tf.constant(self.threshold))  # why: TW405
        return bool(self.session.run(positive, {self.x: np.array([row])})[0, 0])
