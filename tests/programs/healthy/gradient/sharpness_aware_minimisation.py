"""SAM climbs by `assign_add`, takes the gradient there and returns: the assignments are meant so."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(160)
rng = np.random.default_rng(160)
x = rng.normal(size=(40, 4)).astype("float32")
y = np.tanh(x[:, :1])
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model(x)
optimizer = tf.keras.optimizers.SGD(0.05)


def gradients_here():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    return loss, tape.gradient(loss, model.trainable_variables)


for step in range(4):
    loss, gradients = gradients_here()
    scale = 0.05 / (tf.linalg.global_norm(gradients) + 1e-12)
    moves = [g * scale for g in gradients]
    for variable, move in zip(model.trainable_variables, moves):
        variable.assign_add(move)
    sharp_loss, sharp = gradients_here()
    for variable, move in zip(model.trainable_variables, moves):
        variable.assign_sub(move)
    optimizer.apply_gradients(zip(sharp, model.trainable_variables))
    print(step, round(float(loss), 4), bool(sharp_loss >= loss))
