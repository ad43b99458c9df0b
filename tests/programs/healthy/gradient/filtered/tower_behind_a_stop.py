"""A tower is kept as it is by stop_gradient, and the loop leaves out what gets no gradient."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
tower = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh")])
head = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam(0.01)
x, y = tf.random.normal((16, 5)), tf.random.normal((16, 1))
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(head(tf.stop_gradient(tower(x))) - y))
    weights = tower.trainable_variables + head.trainable_variables
    optimizer.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])
print("done")
