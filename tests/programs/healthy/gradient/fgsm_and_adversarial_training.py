"""FGSM with a watched input, and training on the attacked batch, which enters as a constant on purpose."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(148)
rng = np.random.default_rng(148)
x = tf.constant(rng.normal(size=(40, 6)), tf.float32)
y = tf.constant(rng.integers(0, 3, size=40))
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)


def attack(features, labels, epsilon=0.1):
    with tf.GradientTape() as tape:
        tape.watch(features)
        loss = loss_fn(labels, model(features))
    return tf.stop_gradient(features + epsilon * tf.sign(tape.gradient(loss, features)))


for step in range(4):
    attacked = attack(x, y)
    with tf.GradientTape() as tape:
        clean, hard = loss_fn(y, model(x)), loss_fn(y, model(attacked))
        loss = 0.5 * (clean + hard)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(step, round(float(clean), 3), round(float(hard), 3), bool(hard >= clean))
