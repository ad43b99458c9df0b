"""Computes the gradients of each step, clips them, and gives them to the optimizer."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
batch = tf.random.normal((32, 3))
wanted = tf.reduce_sum(batch, axis=1, keepdims=True)
losses = []

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch) - wanted))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
print(losses)
assert losses[-1] < losses[0]
