"""A template keeps its variables; each image is a variable of its own whose gradient is looked at once."""

import tensorflow as tf

v1 = tf.compat.v1
tf.random.set_seed(8)
x = tf.random.normal((16, 3))


def net(x):
    return x @ v1.get_variable("kernel", [3, 1], initializer=v1.glorot_uniform_initializer())


net = v1.make_template("net", net)
optimizer = v1.train.AdamOptimizer(0.1)
for _ in range(6):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((net(x) - x[:, :1]) ** 2)
    variables = tape.watched_variables()
    optimizer.apply_gradients(zip(tape.gradient(error, variables), variables))

for image in x[:6]:
    image = tf.Variable(image)
    with tf.GradientTape() as tape:
        score = tf.reduce_sum(net(image[None]))
    print(tf.reduce_sum(tape.gradient(score, image)).shape)
