# What is assigned to is a tensor, though another class has a variable of that name.
import tensorflow as tf


class Trained:
    def __init__(self):
        self.w = tf.Variable(1.0)


class Fixed:
    def __init__(self):
        self.w = tf.ones([2])


Trained()
Fixed().w.assign(tf.zeros([2]))  # why: TW701
