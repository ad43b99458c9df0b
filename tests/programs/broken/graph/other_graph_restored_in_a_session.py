"""A predictor imports a saved graph into a graph of its own, and restores its variables in a session without one."""

import tempfile

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
PATH = tempfile.mkdtemp() + "/model"


def train():
    with tf.Graph().as_default(), tf1.Session() as session:
        features = tf1.placeholder(tf.float32, (None, 2), name="features")
        tf.matmul(features, tf1.get_variable("weights", (2, 1)), name="scores")
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, PATH)


class Predictor:
    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.saver = tf1.train.import_meta_graph(PATH + ".meta")

    def scores(self, features):
        with tf1.Session() as session:
            self.saver.restore(session, PATH)  # why: TW404
            return session.run("scores:0", {"features:0": features})


train()
print(Predictor().scores(np.ones((3, 2))))
