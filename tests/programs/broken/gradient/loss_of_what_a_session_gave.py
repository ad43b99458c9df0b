"""A linear model of TensorFlow 1: the loss is computed from what the session gave, and not from the prediction."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Model:
    def __init__(self, session):
        self.session = session
        self.inputs = tf.placeholder(tf.float32, [None, 3])
        self.weights = tf.Variable(tf.ones([3, 1]), name="weights")
        self.prediction = tf.matmul(self.inputs, self.weights)

    def predict(self, inputs):
        return self.session.run({"prediction": self.prediction}, {self.inputs: inputs})["prediction"]  # why: TW110


rng = np.random.default_rng(3)
inputs, wanted = rng.random((8, 3)), rng.random((8, 1)).astype("float32")
with tf.Session() as session:
    model = Model(session)
    session.run(tf.global_variables_initializer())
    loss = tf.reduce_mean(tf.square(model.predict(inputs) - wanted))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    for _ in range(10):
        session.run(train)
