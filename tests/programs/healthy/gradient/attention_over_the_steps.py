"""Attention scores keep an axis of size 1 at the end, and the softmax runs over the steps."""

import tensorflow as tf

tf.keras.utils.set_random_seed(11)


class Pooling(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.query, self.key, self.values = (tf.keras.layers.Dense(units) for _ in range(3))

    def call(self, steps):
        scores = tf.reduce_sum(self.query(steps) * self.key(steps), axis=-1, keepdims=True)
        weights = tf.nn.softmax(scores, axis=1)
        return tf.reduce_sum(weights * self.values(steps), axis=1)


series, wanted = tf.random.normal((16, 5, 8)), tf.random.normal((16, 4))
pooling = Pooling(4)
optimizer = tf.keras.optimizers.Adam(0.01)
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(pooling(series) - wanted))
    optimizer.apply_gradients(zip(tape.gradient(loss, pooling.trainable_variables), pooling.trainable_variables))
print(float(loss))
