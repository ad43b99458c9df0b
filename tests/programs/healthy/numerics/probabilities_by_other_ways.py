"""Losses for probabilities that get some: mixed, clipped, averaged, and from logits where they say so."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
points = tf.random.stateless_normal((32, 4), seed=(0, 0))
inside = tf.cast(points[:, :1] > 0, tf.float32)
kinds = tf.argmax(points, axis=1)
one = tf.keras.layers.Dense(1, activation="sigmoid")
other = tf.keras.layers.Dense(1)
several = tf.keras.layers.Dense(4)
optimizer = tf.keras.optimizers.SGD(0.1)
for layer in (one, other, several):
    layer.build((None, 4))
weights = [weight for layer in (one, other, several) for weight in layer.trainable_variables]
losses = tf.keras.losses


def step():
    with tf.GradientTape() as tape:
        mixed = 0.5 * one(points) + 0.5 * tf.sigmoid(other(points))
        loss = tf.reduce_mean(losses.binary_crossentropy(inside, mixed))
        loss += tf.reduce_mean(losses.binary_crossentropy(inside, other(points), from_logits=True))
        loss += tf.reduce_mean(losses.sparse_categorical_crossentropy(kinds, tf.nn.softmax(several(points))))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


traced = tf.function(step)
print(bool(step() > 0), bool(traced() > 0))
