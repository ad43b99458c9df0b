# requires: keras3
"""The loss is multiplied by the scale that the optimizer divides by: by its method, and by its number."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.default_rng(1).normal(size=(64, 6)).astype("float32")


def train(scale):
    model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1), initial_scale=128.0)
    optimizer.build(model.trainable_variables)
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - x[:, :1]))
            scaled = scale(optimizer, loss)
        optimizer.apply_gradients(zip(tape.gradient(scaled, model.trainable_variables), model.trainable_variables))
    return float(loss)


print(train(lambda optimizer, loss: optimizer.scale_loss(loss)) < 2)
print(train(lambda optimizer, loss: loss * tf.convert_to_tensor(optimizer.dynamic_scale)) < 2)
