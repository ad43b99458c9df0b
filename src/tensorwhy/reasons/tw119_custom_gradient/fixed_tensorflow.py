"""A clipped logarithm with a gradient of its own, for both of its arguments."""

import tensorflow as tf

scale = tf.Variable(0.7, name="scale")
values = tf.Variable([0.1, 1.0, 3.0], name="values")


@tf.custom_gradient
def scaled_log(x, factor):
    safe = tf.maximum(x, 1e-3)

    def backward(upstream):
        return upstream * factor / safe, tf.reduce_sum(upstream * tf.math.log(safe))

    return factor * tf.math.log(safe), backward


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(scaled_log(values, scale))

grads = tape.gradient(loss, [values, scale])
print(grads)
assert abs(float(grads[1]) - sum(tf.math.log(values).numpy())) < 1e-5
