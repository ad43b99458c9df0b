"""Labels that begin at 100 are encoded with ten classes: one_hot gives rows of zeros, and the loss has no slope."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
labels = np.random.default_rng(0).integers(100, 110, size=64)
features = np.random.default_rng(1).normal(size=(64, 6)).astype("float32")
network = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam(0.01)


def encoded(ids):
    return tf.one_hot(ids, 10)  # why: TW204


@tf.function
def train(inputs, ids):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(tf.reduce_sum(encoded(ids) * tf.nn.log_softmax(network(inputs)), axis=-1))
    variables = network.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for _ in range(8):
    loss = train(features, labels)
print(float(loss))
