import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
inputs = tf1.placeholder(tf.float32, [None, 3])
targets = tf1.placeholder(tf.int32, [None])
with tf1.variable_scope("body"):
    kernel = tf1.get_variable("kernel", [3, 4])
    logits = tf.matmul(inputs, kernel)
with tf1.variable_scope("transitions"):
    table = tf1.get_variable("table", [4, 4])  # why: TW115
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
optimizer = tf1.train.AdamOptimizer(0.001)
pairs = optimizer.compute_gradients(loss)
clipped = [(tf.clip_by_value(g, -5.0, 5.0), v) for g, v in pairs]
train = optimizer.apply_gradients(clipped)
with tf1.Session() as session:
    session.run(tf1.global_variables_initializer())
    session.run(train, {inputs: np.ones((2, 3)), targets: [0, 1]})
