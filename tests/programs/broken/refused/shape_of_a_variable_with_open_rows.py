# requires: tf>=2.16
"""An optimizer creates its state from the declared shapes of the variables, and one of them leaves its rows open."""
import tensorflow as tf
import tf_keras


class Inducing(tf.Module):
    def __init__(self, points):
        super().__init__()
        self.points = tf.Variable(points, shape=[None, 2], name="points")
        self.scale = tf.Variable(1.0, name="scale")

    def __call__(self, x):
        distance = tf.reduce_sum(tf.square(x[:, None] - self.points[None]), -1)
        return tf.reduce_sum(tf.exp(-distance * self.scale), -1)


def train(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))  # why: TW701


train(Inducing(tf.random.normal([3, 2])), tf_keras.optimizers.SGD(0.1, momentum=0.9), tf.random.normal([8, 2]))
