"""The score of an action is differentiated through the sample, too: the mean moves with it, and the two ways cancel."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
mean = tf.Variable([0.5, -0.2], name="mean")
optimizer = tf.keras.optimizers.SGD(0.1)


def log_density(action, centre, spread):
    return -0.5 * tf.reduce_sum(tf.square((action - centre) / spread), axis=-1)  # why: TW206


for _ in range(20):
    with tf.GradientTape() as tape:
        action = mean + 0.3 * tf.random.normal((32, 2))
        reward = tf.stop_gradient(-tf.reduce_sum(tf.square(action - 1.0), axis=-1))
        loss = -tf.reduce_mean(log_density(action, mean, 0.3) * reward)
    optimizer.apply_gradients(zip(tape.gradient(loss, [mean]), [mean]))
print(mean.numpy())
