"""Computes the gradients of each step, clips them, and never gives them to the optimizer."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
batch = tf.random.normal((32, 3))
wanted = tf.reduce_sum(batch, axis=1, keepdims=True)

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch) - wanted))
    gradients = tape.gradient(loss, model.trainable_variables)  # why: TW121
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    print(step, float(loss), float(norm))
