"""An online filter that means to keep its inputs between calls."""

import tensorflow as tf


class Filter(tf.Module):
    def __init__(self):
        super().__init__()
        self.inputs = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
        self.count = tf.Variable(0)

    @tf.function
    def push(self, value):
        self.inputs = self.inputs.write(self.count, value)  # why: TW508
        self.count.assign_add(1)
        return value * 0.5


def summary(smoother):
    return tf.reduce_mean(smoother.inputs.stack())


smoother = Filter()
smoother.push(tf.constant(1.0))
print(summary(smoother))
