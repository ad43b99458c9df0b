# requires: tf>=2.13
"""The body of a `while_loop` hands the array on that it was given, and drops what `write` returned."""

import tensorflow as tf


class Rollout(tf.Module):
    def __init__(self):
        super().__init__()
        self.matrix = tf.Variable(tf.eye(3) * 0.9)

    @tf.function
    def __call__(self, state):
        def body(step, state, states):
            state = tf.linalg.matvec(self.matrix, state)
            states.write(step, state)  # why: TW507
            return step + 1, state, states

        array = tf.TensorArray(tf.float32, 4, element_shape=(3,))
        _, _, array = tf.while_loop(lambda step, *_: step < 4, body, (0, state, array))
        return array.stack()


print(Rollout()(tf.ones((3,))))
