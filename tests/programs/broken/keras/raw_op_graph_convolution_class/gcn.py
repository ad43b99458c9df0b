"""Graph convolutions as they were written for TensorFlow 1."""

import tensorflow as tf


class GraphConvolution:
    def __init__(self, inputs, outputs, name, act=tf.nn.relu):
        self.name = name
        self.act = act
        initial = tf.random.uniform((inputs, outputs), -0.5, 0.5)
        self.vars = {"weights": tf.Variable(initial, name=f"{name}_weights")}

    def __call__(self, x, adjacency):
        x = tf.matmul(x, self.vars["weights"])  # why: TW302
        x = tf.matmul(adjacency, x)
        return self.act(x)


class GraphAutoencoder:
    def __init__(self, features, adjacency, hidden):
        self.hidden = hidden
        self.features, self.adjacency = features, adjacency
        self.build()

    def build(self):
        width = int(self.features.shape[-1])
        x = self.features
        for number, units in enumerate(self.hidden):
            x = GraphConvolution(width, units, f"gcn{number}")(x, self.adjacency)
            width = units
        self.code = x
        self.reconstruction = tf.matmul(x, x, transpose_b=True)
