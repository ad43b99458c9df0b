"""Raw sensor readings in the thousands go into a tanh: it is 1 or -1 everywhere, and flat."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
readings = tf.constant(rng.uniform(2000, 9000, size=(16, 4)), tf.float32)
wanted = tf.constant(rng.normal(size=(16, 2)), tf.float32)
kernel = tf.Variable([[0.4, -0.3], [0.2, -0.5], [0.3, -0.1], [0.1, -0.2]], name="kernel")
scale = tf.Variable([1.0, 1.0], name="scale")
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        squashed = tf.tanh(readings @ kernel)  # why: TW202
        loss = tf.reduce_mean(tf.square(scale * squashed - wanted))
    grads = tape.gradient(loss, [kernel, scale])
    optimizer.apply_gradients(zip(grads, [kernel, scale]))
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
