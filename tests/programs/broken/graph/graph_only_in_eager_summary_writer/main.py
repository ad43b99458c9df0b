# A logger of TensorFlow 1 is used in a program that runs eagerly.
import tensorflow as tf


class Logger:
    def __init__(self, folder):
        self.folder = folder
        self.writer = tf.compat.v1.summary.FileWriter(folder)  # why: TW407

    def scalar(self, name, value, step):
        summary = tf.compat.v1.Summary(value=[tf.compat.v1.Summary.Value(tag=name, simple_value=value)])
        self.writer.add_summary(summary, step)


def train(steps):
    logger = Logger("runs")
    weight = tf.Variable(1.0)
    for step in range(steps):
        weight.assign_sub(0.1 * weight)
        logger.scalar("weight", float(weight), step)


train(3)
