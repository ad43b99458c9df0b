# Ends in an ordinary error: what is assigned to was never a variable, though another class has one of that name.
import tensorflow as tf


class Trained:
    def __init__(self):
        self.w = tf.Variable(1.0)


class Fixed:
    def __init__(self):
        self.w = tf.ones([2])


Trained()
Fixed().w.assign(tf.zeros([2]))
