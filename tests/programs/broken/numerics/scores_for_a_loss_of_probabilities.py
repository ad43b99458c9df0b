"""Trains on scores with a loss for probabilities, step by step: scores below 0 and above 1 get no gradient."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
points = tf.random.stateless_normal((64, 4), seed=(0, 0)) * 3.0
inside = tf.cast(points[:, :1] > 0, tf.float32)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(4):
    with tf.GradientTape() as tape:
        scores = model(points)
        loss = tf.reduce_mean(tf.keras.losses.binary_crossentropy(inside, scores))  # why: TW805
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
