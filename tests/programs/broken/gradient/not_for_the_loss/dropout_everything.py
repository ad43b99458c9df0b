"""Dropout with a rate of 1 drops everything."""
# requires: keras3

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
first = tf.keras.layers.Dense(4, name="first")
drop = tf.keras.layers.Dropout(1.0)
last = tf.keras.layers.Dense(1, name="last")
x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
with tf.GradientTape() as tape:
    hidden = drop(first(x), training=True)  # why: TW115
    loss = tf.reduce_mean(tf.square(last(hidden) - y))
for g, v in zip(
    tape.gradient(loss, first.trainable_variables + last.trainable_variables),
    first.trainable_variables + last.trainable_variables,
):
    print(v.name, None if g is None else g.shape)
