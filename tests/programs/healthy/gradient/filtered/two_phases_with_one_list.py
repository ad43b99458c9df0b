"""Two phases train two parts with one list of weights and a filter."""
# requires: tf>=2.12

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
a, b = tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)
a.build((None, 2)), b.build((None, 3))
opt = tf.keras.optimizers.SGD(0.1)
opt.build(a.trainable_variables + b.trainable_variables)
x = tf.random.normal((4, 2))


def step(loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of()
    weights = a.trainable_variables + b.trainable_variables
    opt.apply_gradients([(g, w) for g, w in zip(tape.gradient(loss, weights), weights) if g is not None])


for _ in range(3):
    step(lambda: tf.reduce_mean(tf.square(a(x) - 1.0)))
for _ in range(3):
    step(lambda: tf.reduce_mean(tf.square(b(a(x)) - 1.0)))
print("done")
