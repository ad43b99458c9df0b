"""What is done with a None, or with a placeholder that was kept, may fail: the program catches that and goes on."""

import tensorflow as tf

variable = tf.Variable(1.0)
constant = tf.constant(2.0)


def gradient_of_something_else():
    with tf.GradientTape() as tape:
        result = constant * 2.0
    return tape.gradient(result, variable)


gradient = gradient_of_something_else()
try:
    variable.assign_sub(gradient)
except (TypeError, ValueError):
    print("there is no gradient to go down")

kept = []


@tf.function
def double(x):
    kept.append(x * 2)
    return x


double(constant)
try:
    print(kept[0] + 1)
except TypeError:
    print("what was kept belongs to the trace")
