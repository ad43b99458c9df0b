"""The score of an action that was sampled: the sample is data for its own density."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
mean = tf.Variable([0.5, -0.2], name="mean")
optimizer = tf.keras.optimizers.SGD(0.1)


def log_density(action, centre, spread):
    return -0.5 * tf.reduce_sum(tf.square((action - centre) / spread), axis=-1)


for _ in range(20):
    with tf.GradientTape() as tape:
        action = tf.stop_gradient(mean + 0.3 * tf.random.normal((32, 2)))
        reward = tf.stop_gradient(-tf.reduce_sum(tf.square(action - 1.0), axis=-1))
        loss = -tf.reduce_mean(log_density(action, mean, 0.3) * reward)
    optimizer.apply_gradients(zip(tape.gradient(loss, [mean]), [mean]))
print(mean.numpy())
