"""A tf.function returns two heads; the losses use them in turn, so that each has a gradient in every second step."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(170)
rng = np.random.default_rng(170)
x = tf.constant(rng.normal(size=(30, 4)), tf.float32)
trunk = tf.keras.layers.Dense(6, activation="relu")
heads = [tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)]


@tf.function
def forward(batch):
    h = trunk(batch)
    return [head(h) for head in heads]


forward(x)
variables = trunk.trainable_variables + heads[0].trainable_variables + heads[1].trainable_variables
targets = [x[:, :1], x[:, 1:2]]
for step in range(6):
    which = step % 2
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(x)[which] - targets[which]) ** 2)
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.1 * gradient)
    print(step, which, round(float(loss), 4))
