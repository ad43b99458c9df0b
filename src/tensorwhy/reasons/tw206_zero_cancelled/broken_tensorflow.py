"""Two views are to agree, and the loss compares one view with itself: it is zero, and so is every gradient."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
left = tf.constant(rng.normal(size=(16, 4)), tf.float32)
right = left + 0.1 * tf.constant(rng.normal(size=(16, 4)), tf.float32)
encoder = tf.keras.layers.Dense(3, name="encoder")
encoder.build((None, 4))
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        first, second = encoder(left), encoder(right)
        loss = tf.reduce_mean(tf.math.squared_difference(first, first))  # why: TW206
    grads = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
