"""A critic learns from rewards that have no axis for its single output; a helper adds them up."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(2)
states = generator.normal(size=(24, 4)).astype("float32")
following = generator.normal(size=(24, 4)).astype("float32")
rewards = generator.normal(size=24).astype("float32")
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def discounted(now, later):
    return now + 0.9 * later  # why: TW801


for step in range(3):
    with tf.GradientTape() as tape:
        goal = tf.stop_gradient(discounted(rewards, critic(following)))
        loss = tf.reduce_mean(tf.square(goal - critic(states)))
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    print(step, float(loss))
