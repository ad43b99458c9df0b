# A library's tests: symbolic tensors refuse what needs values, and the program says so itself.
import numpy as np
import tensorflow as tf


def refused(function, *arguments):
    try:
        tf.function(function, autograph=False)(*arguments)
    except (TypeError, NotImplementedError, AttributeError, ValueError) as error:
        return type(error).__name__ != ""
    return False


x = tf.constant([1.0, 2.0, 3.0])
print(
    refused(lambda t: float(t[0]), x),
    refused(lambda t: np.array(t), x),
    refused(lambda t: t.numpy(), x),
    refused(lambda t: 1.0 if t[0] > 0 else 0.0, x),
    refused(lambda t: [1, 2, 3][tf.argmax(t)], x),
    refused(lambda t: tf.where(t > 0, t, 0.0), x),
)
