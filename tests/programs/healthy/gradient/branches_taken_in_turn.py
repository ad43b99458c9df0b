"""Two experts chosen by a Python `if` on the data; only the chosen one's variables are asked for."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(155)
rng = np.random.default_rng(155)
day, night = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
shared = tf.keras.layers.Dense(6, activation="relu")
optimizer = tf.keras.optimizers.SGD(0.05)
before = None

for step in range(6):
    x = rng.normal(loc=1.0 if step % 2 else -1.0, size=(20, 3)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    expert = day if x.mean() > 0 else night
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(expert(shared(x)) - y))
        loss = tf.where(loss > 100.0, tf.sqrt(loss), loss)
    variables = shared.trainable_variables + expert.trainable_variables
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.05 * gradient)
    print(step, "day" if expert is day else "night", round(float(loss), 3))
