"""Asks for the gradients of two towers, and pairs them with the variables of one: `zip` drops the rest."""

import tensorflow as tf

left = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)], name="left")
right = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(4)], name="right")
optimizer = tf.keras.optimizers.Adam(0.01)
queries, keys = tf.random.normal((16, 3)), tf.random.normal((16, 5))

for step in range(4):
    with tf.GradientTape() as tape:
        scores = tf.matmul(left(queries), right(keys), transpose_b=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(16), scores))
    gradients = tape.gradient(loss, left.trainable_variables + right.trainable_variables)
    optimizer.apply_gradients(zip(gradients, left.trainable_variables))  # why: TW121
