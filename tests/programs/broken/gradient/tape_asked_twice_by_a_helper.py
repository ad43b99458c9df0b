"""Two losses of one tape, asked about by a helper that is called once for each."""

import tensorflow as tf
tf.keras.utils.set_random_seed(0)
a, b = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
opt = tf.keras.optimizers.SGD(0.1)
def update(recording, value, layer):
    slopes = recording.gradient(value, layer.trainable_variables)
    opt.apply_gradients(zip(slopes, layer.trainable_variables))
def step(x):
    with tf.GradientTape() as t:  # why: TW120
        one, two = tf.reduce_mean(a(x)), tf.reduce_mean(b(x) ** 2)
    update(t, one, a)
    update(t, two, b)
step(tf.ones([2, 3]))
