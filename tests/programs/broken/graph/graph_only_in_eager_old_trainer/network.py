import tensorflow.compat.v1 as tf


def dense(x, units, name):
    width = int(x.shape[-1])
    with tf.variable_scope(name):
        kernel = tf.get_variable("kernel", [width, units])
        bias = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
    return tf.matmul(x, kernel) + bias


class Network:
    def __init__(self, width):
        self.width = width

    def build(self):
        self.inputs = self._input("inputs", self.width)
        self.targets = self._input("targets", 1)
        hidden = tf.nn.relu(dense(self.inputs, 8, "hidden"))
        self.outputs = dense(hidden, 1, "outputs")
        self.loss = tf.reduce_mean(tf.square(self.outputs - self.targets))

    def _input(self, name, width):
        return tf.placeholder(tf.float32, [None, width], name=name)  # why: TW407
