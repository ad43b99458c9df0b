import tensorflow as tf

tf1 = tf.compat.v1


def network(width):
    x = tf1.placeholder(tf.float32, [None, width], name="x")  # why: TW407
    y = tf1.placeholder(tf.float32, [None, 1], name="y")
    w = tf1.get_variable("w", [width, 1])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    return x, y, loss


x, y, loss = network(3)
train = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf1.Session() as session:
    session.run(tf1.global_variables_initializer())
