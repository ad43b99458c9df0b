"""Reptile by weight differences, R1 penalty, and a learned step size with second-order gradients."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)


def build():
    inputs = tf.keras.Input((1,))
    hidden = tf.keras.layers.Dense(8, activation="tanh")(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(hidden))


meta = build()
for task in range(3):
    fast = build()
    fast.set_weights(meta.get_weights())
    optimizer = tf.keras.optimizers.SGD(0.05)
    x = tf.random.normal((8, 1))
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((fast(x) - tf.sin(x + task)) ** 2)
        gradients = tape.gradient(loss, fast.trainable_variables)
        optimizer.apply_gradients(zip(gradients, fast.trainable_variables))
    meta.set_weights([w + 0.5 * (f - w) for w, f in zip(meta.get_weights(), fast.get_weights())])

critic = build()
optimizer = tf.keras.optimizers.Adam(1e-3)
for step in range(4):
    real, fake = tf.random.normal((8, 1)), tf.random.uniform((8, 1))
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(real)
            score = critic(real)
        penalty = tf.reduce_mean(inner.gradient(score, real) ** 2)
        loss = tf.reduce_mean(tf.nn.softplus(critic(fake))) + tf.reduce_mean(tf.nn.softplus(-score)) + penalty
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(gradients, critic.trainable_variables) if g is not None])

weight, rate = tf.Variable(1.0), tf.Variable(0.1)
for _ in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            loss = (weight - 3.0) ** 2
        moved = weight - rate * tape.gradient(loss, weight)
        after = (moved - 3.0) ** 2
    rate.assign_sub(0.001 * outer.gradient(after, rate))
    weight.assign(moved)
print("done", float(after) >= 0)
