# A traced method of an object that nobody holds.
import tensorflow as tf


class Evaluator:
    def __init__(self, scale):
        self.scale = scale

    @tf.function
    def evaluate(self, x):
        return self.scale * x


print(Evaluator(2.0).evaluate(tf.ones([2])))
