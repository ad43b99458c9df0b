# A graph of TensorFlow 1 is built once and finalized; the threads of a pool only run it.
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tensorflow.compat.v1 as tf


class Predictor:
    def __init__(self, width, threshold):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, width])
            weights = tf.get_variable("weights", [width, 1], initializer=tf.ones_initializer())
            self.score = tf.matmul(self.x, weights)
            self.positive = tf.greater(self.score, tf.constant(threshold))
            self.session = tf.Session(graph=self.graph)
            self.session.run(tf.global_variables_initializer())
        self.graph.finalize()

    def predict(self, row):
        return bool(self.session.run(self.positive, {self.x: np.array([row])})[0, 0])


predictor = Predictor(3, 2.0)
with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(predictor.predict, [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]])))
