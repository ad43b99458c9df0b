"""A function made inside another one keeps a tensor; the variable that it computed with is gone by then."""

import tensorflow as tf

logged = []


def scaler(factor):
    scale = tf.Variable(factor)

    @tf.function
    def apply(x):
        scaled = scale * x
        logged.append(scaled)  # why: TW403
        return scaled

    apply(tf.constant([1.0, 2.0]))
    return apply.get_concrete_function(tf.constant([1.0, 2.0])).graph


graph = scaler(0.5)
print("first", logged[0] + 1.0)
