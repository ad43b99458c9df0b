"""A running score of TensorFlow 1 is kept in a variable, and the loss is taken from there."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

scores = tf.get_variable("scores", [3], initializer=tf.zeros_initializer())
weights = tf.get_variable("weights", [3], initializer=tf.ones_initializer())
inputs = tf.placeholder(tf.float32, [3])


def remembered(value):
    stored = tf.assign(scores, 0.9 * scores + 0.1 * value)  # why: TW113
    with tf.control_dependencies([stored]):
        return scores.read_value()


loss = tf.reduce_sum(tf.square(remembered(weights * inputs)))
gradients = tf.gradients(loss, [weights])
train = tf.train.GradientDescentOptimizer(0.1).apply_gradients(list(zip(gradients, [weights])))
