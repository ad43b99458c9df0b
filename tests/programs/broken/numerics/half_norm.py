"""Directions are made in half precision, and the number that should keep the length from zero is zero there."""
import tensorflow as tf

w = tf.Variable(tf.zeros((4, 3), tf.float16))
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.cast(tf.random.stateless_normal((8, 4), [1, 2]), tf.float16)


def direction(v):
    length = tf.sqrt(tf.reduce_sum(v * v, axis=1, keepdims=True))
    return v / (length + 1e-8)  # why: TW211


for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(direction(tf.matmul(x, w)))
    gradient = tape.gradient(loss, w)
    optimizer.apply_gradients([(gradient, w)])
    print(step, float(loss))
