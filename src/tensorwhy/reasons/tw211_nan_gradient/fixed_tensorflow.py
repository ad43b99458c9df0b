"""Pulls embeddings apart by their distances, with a small number inside of the square root."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
points = tf.random.normal((12, 5))
projection = tf.Variable(tf.random.normal((5, 2)), name="projection")
optimizer = tf.keras.optimizers.SGD(0.05)


def distances(codes):
    squares = tf.reduce_sum(tf.square(codes[:, None] - codes[None]), axis=-1)
    return tf.sqrt(squares + 1e-9)


for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.relu(4.0 - distances(points @ projection)))
    gradient = tape.gradient(loss, projection)
    optimizer.apply_gradients([(gradient, projection)])
    assert bool(tf.reduce_all(tf.math.is_finite(gradient)))
    print(step, float(loss))
