"""The gradient function of a clipped identity forgets its `return`: it gives None, so everything before it gets None.

The optimizer raises; with `return` the gradients exist.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(73)
rng = np.random.default_rng(73)


def clip_gradient(limit):
    @tf.custom_gradient
    def identity(tensor):
        def backward(upstream):
            tf.clip_by_value(upstream, -limit, limit)  # why: TW119

        return tf.identity(tensor), backward

    return identity


guard = clip_gradient(0.1)
hidden = tf.keras.layers.Dense(5, activation="tanh")
scale = tf.keras.layers.Dense(1)
x = rng.normal(size=(20, 3)).astype("float32")
y = 10.0 * x[:, :1]
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(3):
    with tf.GradientTape() as tape:
        prediction = guard(scale(hidden(x)))
        loss = tf.reduce_mean(tf.square(prediction - y))
    variables = hidden.trainable_variables + scale.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(step, round(float(loss), 3))
