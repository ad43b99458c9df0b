"""Adapters are trained beside frozen kernels."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
base = tf.keras.layers.Dense(4)
base.build((None, 4))
base.trainable = False
down, up = tf.Variable(tf.random.normal((4, 2))), tf.Variable(tf.zeros((2, 4)))
x, y = tf.random.normal((6, 4)), tf.random.normal((6, 4))
opt = tf.keras.optimizers.SGD(0.1)
weights = base.variables + [down, up]
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(base(x) + x @ down @ up - y))
    opt.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])
print("done")
