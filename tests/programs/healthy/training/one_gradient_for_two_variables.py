"""Two variables are added up, so that one tensor is the gradient of both."""

import tensorflow as tf
a = tf.Variable([1.0, 2.0], name="a"); b = tf.Variable([3.0, 4.0], name="b")
opt = tf.keras.optimizers.SGD(0.1)
for i in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(a + b - 1.0))
    g = tape.gradient(loss, [a, b])
    opt.apply_gradients(zip(g, [a, b]))
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(a + b - 1.0))
    g = tape.gradient(loss, [a, b])
    opt.apply_gradients(zip(g, [a, b]))
for i in range(4):
    step()
