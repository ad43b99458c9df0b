"""Freezes a critic for one phase, forgets to unfreeze it, and then trains it with a tape."""

import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
batch = tf.random.normal((16, 3))
wanted = tf.reduce_sum(batch, axis=1, keepdims=True)


def evaluate(model):
    model.trainable = False  # why: TW116
    return float(tf.reduce_mean(tf.square(model(batch) - wanted)))


print("before", evaluate(critic))
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(critic(batch) - wanted))
    variables = critic.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
print("after", evaluate(critic))
