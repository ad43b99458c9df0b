"""A controller that means to keep its errors between calls."""

import tensorflow as tf


class Controller(tf.Module):
    def __init__(self):
        super().__init__()
        self.errors = tf.TensorArray(tf.float32, size=2, clear_after_read=False)

    def _remember(self, error):
        self.errors = self.errors.write(0, error)  # why: TW508

    @tf.function
    def act(self, error):
        self._remember(error)
        return -0.5 * error


def mean_error(controller):
    return tf.reduce_mean(controller.errors.stack())


controller = Controller()
controller.act(tf.constant(1.0))
print(mean_error(controller))
