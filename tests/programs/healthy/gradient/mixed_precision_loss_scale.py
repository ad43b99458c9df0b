"""Mixed precision by hand: float16 casts on the path and a scaled loss keep all gradients."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(112)
rng = np.random.default_rng(112)
x = tf.constant(rng.normal(size=(32, 4)), tf.float32)
y = tf.constant(rng.normal(size=(32, 1)), tf.float32)
hidden = tf.keras.layers.Dense(8, activation="relu", dtype="mixed_float16")
out = tf.keras.layers.Dense(1, dtype="mixed_float16")
optimizer = tf.keras.optimizers.SGD(0.05)
scale = 128.0
out(hidden(x))

for step in range(4):
    with tf.GradientTape() as tape:
        prediction = tf.cast(out(hidden(x)), tf.float32)
        loss = tf.reduce_mean(tf.square(prediction - y))
        scaled = loss * scale
    variables = hidden.trainable_variables + out.trainable_variables
    gradients = [g / scale for g in tape.gradient(scaled, variables)]
    optimizer.apply_gradients(zip(gradients, variables))
    print(step, round(float(loss), 3), prediction.dtype.name, gradients[0].dtype.name)
