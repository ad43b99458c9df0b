"""Scales logits by a learned temperature."""
import tensorflow as tf

temperature = tf.Variable(1.5)  # why: TW601


def scaled(logits):
    return logits / temperature
