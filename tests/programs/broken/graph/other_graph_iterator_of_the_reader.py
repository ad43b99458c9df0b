import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


class Reader:
    """Reads in a graph of its own."""

    def __init__(self, rows):
        self.graph = tf.Graph()
        with self.graph.as_default():
            data = tf.data.Dataset.from_tensor_slices(rows).batch(2)
            self.iterator = v1.data.make_initializable_iterator(data)

    def start(self, session):
        session.run(self.iterator.initializer)


class Classifier:
    def __init__(self, width):
        self.width = width

    def loss(self, reader):
        rows = reader.iterator.get_next()  # why: TW404
        scaled = tf.nn.l2_normalize(rows, axis=1)
        weights = v1.get_variable("weights", [self.width, 1], use_resource=True)
        return tf.reduce_mean(tf.matmul(scaled, weights) ** 2)


def train(reader):
    with tf.Graph().as_default():
        loss = Classifier(3).loss(reader)
        with v1.Session() as session:
            reader.start(session)
            session.run(v1.global_variables_initializer())
            return session.run(loss)


print(train(Reader(np.ones([6, 3], "float32"))))
