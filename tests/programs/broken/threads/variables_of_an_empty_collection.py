# Old code asks the graph for its trainable variables.
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


class Net:
    def __init__(self):
        self.w = tf.Variable(tf.random.normal([3, 1]), name="w")
        self.b = tf.Variable(tf.zeros([1]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


def penalty(scale):
    return scale * tf.add_n([tf.nn.l2_loss(v) for v in tf1.trainable_variables()])  # why: TW407


def train(net, x, y, steps):
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - y)) + penalty(1e-3)
        variables = [net.w, net.b]
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


x = np.random.rand(20, 3).astype("float32")
print(train(Net(), x, x.sum(1, keepdims=True), 3))
