"""A training function lists the weights of a model that has none yet, above its loop."""

import tensorflow as tf


def train(data):
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()
    parameters = list(model.trainable_weights)  # why: TW603
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        for g, v in zip(tape.gradient(loss, parameters), parameters):
            v.assign_sub(0.1 * g)
    return float(loss)


print(train([(tf.ones([4, 2]), tf.ones([4, 1]))] * 3))
