# The arguments of a function with a custom gradient are all passed by keyword: TensorFlow differentiates the function.
import tensorflow as tf


@tf.custom_gradient
def reverse(features, strength):
    def grad(upstream):
        return -strength * upstream, None

    return tf.identity(features), grad


def domain(x, weights):
    return tf.reduce_sum(reverse(features=x, strength=tf.constant(0.1)) @ weights)  # why: TW119


weights = tf.Variable(tf.ones((3, 1)))
x = tf.Variable(tf.ones((2, 3)))
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = domain(x, weights)
    x.assign_sub(0.1 * tape.gradient(loss, x))
