"""Variational noise that takes only the shape of the mean."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
mean_layer = tf.keras.layers.Dense(3, name="mean")
out = tf.keras.layers.Dense(1, name="out")
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.normal((8, 4))


def sample(mean):
    return tf.zeros_like(mean) + tf.random.normal((8, 3))  # why: TW115


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(out(sample(mean_layer(x)))))
    variables = mean_layer.trainable_variables + out.trainable_variables
    pairs = list(filter(lambda pair: pair[0] is not None, zip(tape.gradient(loss, variables), variables)))
    optimizer.apply_gradients(pairs)
print("ok")
