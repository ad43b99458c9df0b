"""The body of a `while_loop` writes in some steps only, and hands the array on in each."""

import tensorflow as tf


@tf.function
def squares(steps):
    def body(step, array):
        array = tf.cond(step % 2 == 0, lambda: array.write(step, step * step), lambda: array)
        return step + 1, array

    array = tf.TensorArray(tf.int32, 4, element_shape=())
    _, array = tf.while_loop(lambda step, _: step < steps, body, (0, array))
    return array.stack()


print(squares(tf.constant(4)))
