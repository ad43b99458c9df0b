"""Trained bounds of a quantisation that some values are beyond."""

import tensorflow as tf

tf.keras.utils.set_random_seed(9)
low, high = tf.Variable(-0.4, name="low"), tf.Variable(0.4, name="high")
dense = tf.keras.layers.Dense(8, activation="tanh")
head = tf.keras.layers.Dense(1)
x = tf.random.normal((64, 5))
y = tf.reduce_sum(x, axis=1, keepdims=True)
optimizer = tf.keras.optimizers.SGD(0.05)


def quantised(values):
    return tf.quantization.fake_quant_with_min_max_vars(values, low, high, num_bits=4)


for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(head(quantised(dense(x))) - y))
    variables = [low, high, *dense.trainable_variables, *head.trainable_variables]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
print(float(loss), float(low), float(high))
