"""A generator of token sequences: the choice of the word ends the gradient, the helper hides it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
generator = tf.keras.Sequential([tf.keras.layers.Dense(6)])
judge = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
adam = tf.keras.optimizers.Adam(0.01)
generator.build((None, 3))
judge.build((None, 6))


def safe_apply(optimizer, gradients, variables):
    usable = []
    for gradient, variable in zip(gradients, variables):
        if gradient is not None:
            usable.append((gradient, variable))
    if usable:
        optimizer.apply_gradients(usable)


@tf.function
def step(noise):
    with tf.GradientTape() as tape:
        words = tf.one_hot(tf.argmax(generator(noise), -1), 6)  # why: TW106
        loss = -tf.reduce_mean(judge(words))
    weights = generator.trainable_variables + judge.trainable_variables
    safe_apply(adam, tape.gradient(loss, weights), weights)
    return loss


for _ in range(3):
    step(tf.random.normal((8, 3)))
print("done")
