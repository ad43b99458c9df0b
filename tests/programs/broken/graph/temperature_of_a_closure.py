"""A temperature lives in a closure and is lowered between the calls: the graph keeps the first one."""

import tensorflow as tf


def sampler(logits):
    temperature = 5.0

    @tf.function
    def probabilities(shift):
        return tf.nn.softmax((logits + shift) / temperature)  # why: TW122

    def cool():
        nonlocal temperature
        temperature *= 0.5

    return probabilities, cool


probabilities, cool = sampler(tf.constant([1.0, 2.0, 4.0]))
for _ in range(4):
    print(probabilities(tf.constant(0.0)).numpy())
    cool()
