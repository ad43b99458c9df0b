import tensorflow as tf


@tf.function
def halve_until(limit, value):
    steps = 0  # why: TW504
    while value > limit:
        value = value / 2.0
        steps = steps + 0.5
    return steps, value


print(halve_until(tf.constant(1.0), tf.constant(37.0)))
