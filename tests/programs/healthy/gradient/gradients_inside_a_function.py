"""`tf.gradients` and `tf.hessians` inside functions, and zeros for what takes no part."""

import tensorflow as tf

weights = tf.Variable([0.5, -0.3])
spare = tf.Variable([1.0, 1.0])


@tf.function
def slopes(x):
    loss = tf.reduce_sum(tf.tanh(x * weights) ** 2)
    first = tf.gradients(loss, [weights, spare], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return loss, first


@tf.function
def curvature(x):
    return tf.hessians(tf.reduce_sum(x**3), x)[0]


for step in range(3):
    loss, (slope, none) = slopes(tf.constant([1.0, 2.0]))
    weights.assign_sub(0.1 * slope)
    spare.assign_sub(0.1 * none)
    print(step, round(float(loss), 5))
print(curvature(tf.constant([1.0, 2.0])).numpy().tolist())
