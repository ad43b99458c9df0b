"""A recurrent network of TensorFlow 1, in a loop of its old kind: what scales the gate is behind a `stop_gradient`."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

inputs = tf.placeholder(tf.float32, [None, 3])
kernel = tf.get_variable("kernel", [3, 3], initializer=tf.random_normal_initializer(seed=1))
scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())


def step(i, state):
    state = tf.tanh(tf.matmul(state, kernel))
    gate = tf.stop_gradient(tf.sigmoid(state * scale))  # why: TW104
    return i + 1, state * gate


_, state = tf.while_loop(lambda i, _: i < 4, step, [0, inputs])
loss = tf.reduce_mean(tf.square(state))
gradients = tf.gradients(loss, [kernel, scale])
print(gradients)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(gradients[0], {inputs: np.ones([2, 3])}))
