"""Meta-learning that copies the updated weights into a second model as arrays, to compute the outer loss with it."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)
INNER_RATE = 0.05


def sine_model():
    return tf.keras.Sequential(
        [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
    )


def mse(model, x, y):
    return tf.reduce_mean(tf.square(model(x) - y))


def adapt(model, gradients):
    updated = [w - INNER_RATE * g for w, g in zip(model.trainable_variables, gradients)]
    return [w.numpy() for w in updated]


meta, fast = sine_model(), sine_model()
optimizer = tf.keras.optimizers.SGD(0.01)
for task in range(3):
    x = rng.uniform(-2, 2, (10, 1)).astype("float32")
    y = np.sin(x + task)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = mse(meta, x, y)
        gradients = inner.gradient(loss, meta.trainable_variables)
        fast.set_weights(adapt(meta, gradients))  # why: TW113
        meta_loss = mse(fast, x, y)
    meta_gradients = outer.gradient(meta_loss, meta.trainable_variables)
    optimizer.apply_gradients(zip(meta_gradients, meta.trainable_variables))
