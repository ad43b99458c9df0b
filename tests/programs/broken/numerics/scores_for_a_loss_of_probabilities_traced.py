"""The same in a traced step and for several classes: no value is seen, but the layer has no activation."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
points = tf.random.stateless_normal((64, 4), seed=(0, 0))
kinds = tf.argmax(points, axis=1)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.SGD(0.1)
losses = tf.keras.losses.SparseCategoricalCrossentropy()


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = losses(kinds, model(points))  # why: TW805
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for _ in range(4):
    step()
