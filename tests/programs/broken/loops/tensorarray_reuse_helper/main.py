"""The heights of a falling ball."""

import tensorflow as tf
from recorder import Recorder


@tf.function
def fall(height, steps):
    recorder = Recorder(tf.TensorArray(tf.float32, size=steps, element_shape=[]))
    velocity = tf.constant(0.0)
    for step in tf.range(steps):
        velocity -= 0.981
        height += 0.1 * velocity
        recorder.record(step, height)
    return recorder.array.stack()


print(fall(tf.constant(10.0), tf.constant(5)).shape)
