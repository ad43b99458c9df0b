"""BYOL: the target network is updated by a moving average with `assign`, and its output is stopped."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(104)
rng = np.random.default_rng(104)


def tower(name):
    return tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(6)], name=name)


online, target = tower("online"), tower("target")
predictor = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(6)])
data = rng.normal(size=(32, 8)).astype("float32")
online(data), target(data), predictor(online(data))
target.set_weights(online.get_weights())
optimizer = tf.keras.optimizers.Adam(0.005)


def regression_loss(p, z):
    p, z = tf.math.l2_normalize(p, axis=1), tf.math.l2_normalize(z, axis=1)
    return tf.reduce_mean(2.0 - 2.0 * tf.reduce_sum(p * z, axis=1))


def view(batch):
    return batch + 0.1 * rng.normal(size=batch.shape).astype("float32")


for step in range(5):
    first, second = view(data), view(data)
    goal_1, goal_2 = tf.stop_gradient(target(second)), tf.stop_gradient(target(first))
    with tf.GradientTape() as tape:
        loss = regression_loss(predictor(online(first)), goal_1) + regression_loss(predictor(online(second)), goal_2)
    variables = online.trainable_variables + predictor.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    for slow, fast in zip(target.variables, online.variables):
        slow.assign(0.95 * slow + 0.05 * fast)
    print(step, round(float(loss), 5))
